import type { InjectOptions } from "fastify";
import { createDatabase } from "../../src/engine/connections/client.js";
import { loadDemoData } from "../../src/demo/load.js";
import { sendForm } from "../files/uploads.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import { png } from "../files/pictures.js";
import { fingerprints } from "../support/fingerprint.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { operationsOf, sharedOpenApi } from "../support/openapi.js";
import { formOfExample, PICTURE, requestsOf } from "./example-requests.js";

/** Routes that name a resource in their path and change none; each with what it does instead. */
const CHANGE_NO_RESOURCE: Readonly<Record<string, string>> = {
  createAdminForBranchGroup: "creates an admin",
  createAdminForBranch: "creates an admin",
  createCartItem: "creates an item",
  createClientAddress: "creates an address",
  createCouponForBranchGroup: "creates a coupon",
  createBranchFleetAssociation: "creates an association",
  createGoodForBranch: "creates a good",
  createGoodForBranchGroup: "creates a good",
  createPropertyForBranch: "creates a property",
  createPropertyForBranchGroup: "creates a property",
  addPaymentForm: "creates a form",
  importBranchGoods: "creates a job",
  importBranchGroupGoods: "creates a job",
  giveChange: "creates movements of a balance",
  transferBalance: "creates movements of a balance",
  addFavorites: "adds to a list",
  addGoodsToCategory: "adds to a list",
  upsertGoods: "changes the rows of its body, each by itself",
  checkCouponForBranch: "reads only",
  undoChange: "names an entry of the trail, which never changes",
};

const { source, document } = sharedOpenApi();
const described = new Map(operationsOf(document).map((known) => [`${known.method} ${known.path}`, known]));
const COMPANY = /^\/companies\/\{company(?:Id)?\}/u;

/** The routes that change what their path names: an id of the company itself counts where the path has no other end. */
const routes = source.routes.filter(({ operation, rest: { method, path } }) => {
  if (operation.kind !== "mutation" || method === "GET") return false;
  const below = path.replace(COMPANY, "");
  return below.includes("{") || (below !== path && (method !== "POST" || below === "/restore"));
});
const conditional = routes.filter(({ operation }) => !(operation.name in CHANGE_NO_RESOURCE));

describe("a change on a condition that is not true", () => {
  let gateway: Gateway;
  let callers: Record<string, Client>;
  let rows: Awaited<ReturnType<typeof fingerprints>>;
  let web: WebServer;
  /** What was stored after the route before. */
  let kept: string;
  beforeAll(async () => {
    web = await startWebServer();
    web.serve("/picture.png", await png({ width: 2400 }));
    gateway = await startGateway({ own: "database", environment: { FETCH_ALLOW: web.host } });
    const database = await createDatabase({ url: gateway.ownerUrl });
    await loadDemoData(database);
    await database.close();
    callers = {
      admin: await gateway.as({ kind: "admin", id: 1, companyId: 1 }),
      client: await gateway.as({ kind: "client", id: 1, companyId: 1 }),
      platform: gateway.platform,
    };
    // The example deletes what an earlier one creates.
    await gateway.db.adminType.create({
      data: { companyId: 1, id: 9, name: "Temporary", defaultKey: "temporary" },
    });
    rows = await fingerprints(gateway.url);
    kept = await stored();
  });
  afterAll(async () => {
    await rows.close();
    await gateway.close();
    await web.close();
  });

  it("is looked for on every route that names a resource", () => {
    const names = new Set(routes.map(({ operation }) => operation.name));

    expect(conditional.length).toBeGreaterThan(50);
    expect(Object.keys(CHANGE_NO_RESOURCE).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(conditional.map(({ rest }) => `${rest.method} ${rest.path}`))("%s is refused", async (route) => {
    const known = described.get(route);
    if (known === undefined) throw new Error(`${route} is not in the reference`);
    const { method, operation } = known;
    const client = callers[operation["x-callers"][0] ?? ""] as Client;
    const [url = ""] = requestsOf(document, known);
    const content = operation.requestBody?.content ?? {};
    const example = content["application/json"]?.example;
    const form = example === undefined ? content["multipart/form-data"]?.example : undefined;
    const headers = { "if-match": 'W/"stale"' };
    const before = kept;

    const { status, body } =
      form === undefined
        ? await client.rest(method as InjectOptions["method"], url, {
            headers,
            ...(example !== undefined && { body: reachable(example) }),
          })
        : await sendForm(gateway, client, url, await formOfExample(form), { headers });

    kept = await stored();
    expect([status, body?.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect(kept).toBe(before);
  });

  /** All rows but the list of stored files: a file is stored before the change begins, and removed while nothing uses it. */
  async function stored(): Promise<string> {
    return (await rows.take()).replace(/^stored_files .*$/mu, "");
  }

  /** A picture that is to be fetched is that of the test's own server. */
  function reachable(example: unknown): unknown {
    const text = JSON.stringify(example).replaceAll(
      `"url":"${PICTURE}"`,
      `"url":"http://${web.host}/picture.png"`,
    );
    return JSON.parse(text) as unknown;
  }
});
