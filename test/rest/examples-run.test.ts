import { readFileSync, writeFileSync } from "node:fs";
import type { InjectOptions } from "fastify";
import { createDatabase } from "../../src/engine/connections/client.js";
import { loadDemoData } from "../../src/demo/load.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import { png } from "../files/pictures.js";
import { sendForm } from "../files/uploads.js";
import { formOfExample, parametersOf, PICTURE, requestsOf } from "./example-requests.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { linkEnding } from "../support/client-link.js";
import { shownAnswer } from "../support/answer-examples.js";
import { journalShowsAll } from "../support/journal.js";
import { ANSWERS_FILE, operationsOf, sharedOpenApi, type DescribedOperation } from "../support/openapi.js";

/** The order of the routes: reading and adding come before removing, and a part before the whole it belongs to. */
const ORDER = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const { source, document } = sharedOpenApi();
/** The audited mutations by their routes. */
const audited = new Map<string, string>(
  source.routes.flatMap(({ rest, operation }) =>
    operation.isAudited ? [[`${rest.method} ${rest.path}`, operation.name] as const] : [],
  ),
);
/** Mutations whose examples may ask for what is so already on the demo data. */
const MAY_CHANGE_NOTHING: ReadonlySet<string> = new Set([
  "fixGoodImages",
  "linkGoodType",
  "setAdminOnline",
  "setFavorite",
  "setFleetAssociationEnabled",
  "setSelectedClientAddress",
  "upgradeAdmin",
  "uploadFormLabel",
]);
/** A company of the demo is deleted in the end, so that it can be restored then. */
const isLast = ({ method, path }: DescribedOperation): number =>
  path === "/companies/{companyId}/restore"
    ? 2
    : method === "DELETE" && path === "/companies/{companyId}"
      ? 1
      : 0;
const operations = operationsOf(document).sort(
  (one, other) =>
    isLast(one) - isLast(other) ||
    ORDER.indexOf(one.method) - ORDER.indexOf(other.method) ||
    (one.method === "DELETE" ? other.path.split("/").length - one.path.split("/").length : 0),
);

/** Keys of bodies whose values only an earlier answer has, with their place in that answer. */
const TOLD: Readonly<Record<string, readonly [operationId: string, key: string]>> = {
  refresh_token: ["login", "refresh_token"],
};

/** A route that fails here needs an example in its document: `@rest(…, example: { couponId: 3, input: { … } })`. */
describe("each operation's example runs as it stands on the demo data", () => {
  let gateway: Gateway;
  let callers: Record<string, Client>;
  const answers = new Map<string, Record<string, unknown>>();
  const shown = new Map<string, unknown>();
  let began: Date;
  let web: WebServer;

  beforeAll(async () => {
    began = new Date();
    web = await startWebServer();
    web.serve("/picture.png", await png({ width: 2400 }));
    gateway = await startGateway({ own: "database", environment: { FETCH_ALLOW: web.host } });
    const database = await createDatabase({ url: gateway.ownerUrl });
    await loadDemoData(database);
    await database.close();
    await journalShowsAll(gateway);
    // The demo has no pictures: this good has those that the examples remove.
    await gateway.db.good.updateMany({
      where: { companyId: 1, id: 3 },
      data: { pictures: [PICTURE], verticalPictures: [PICTURE] },
    });
    callers = {
      admin: await gateway.as({ kind: "admin", id: 1, companyId: 1 }),
      client: await gateway.as({ kind: "client", id: 1, companyId: 1 }),
      platform: gateway.platform,
      anyone: gateway.anonymous,
    };
  });
  afterAll(async () => {
    await gateway.close();
    await web.close();
  });

  it.each(operations.map((described) => [`${described.method} ${described.path}`, described] as const))(
    "%s",
    async (_name, described) => {
      const { method, operation } = described;
      const [caller = ""] = operation["x-callers"];
      const success = Object.keys(operation.responses).find((status) => status.startsWith("2"));
      const content = operation.requestBody?.content ?? {};
      const example = content["application/json"]?.example;
      const form = example === undefined ? content["multipart/form-data"]?.example : undefined;

      for (const asked of requestsOf(document, described)) {
        const client = callers[caller] as Client;
        const url = await signed(asked, client);
        const answer =
          form === undefined
            ? await client.rest(method as InjectOptions["method"], url, {
                ...(example !== undefined && { body: withTold(example) }),
              })
            : await sendForm(gateway, client, url, await formOfExample(form));

        expect({ url, status: answer.status, problem: problemOf(answer.body) }).toEqual({
          url,
          status: Number(success),
          problem: null,
        });
        expect("etag" in answer.headers).toBe("ETag" in headersOf(described, success));
        await expectRecorded(described, answer.headers["x-request-id"]);
        answers.set(operation.operationId, answer.body);
        const isJson = String(answer.headers["content-type"]).startsWith("application/json");
        if (isJson && !shown.has(operation.operationId) && url === asked)
          shown.set(operation.operationId, shownAnswer(operation.operationId, answer.body, began));
      }
    },
  );

  it("shows what each operation answers as its example", () => {
    const names = operations.map(({ operation }) => operation.operationId).sort();
    const fresh = Object.fromEntries(
      names.flatMap((name) => (shown.has(name) ? [[name, shown.get(name)]] : [])),
    );
    if (process.env["WRITE_EXAMPLES"] === "1")
      writeFileSync(ANSWERS_FILE, `${JSON.stringify(fresh, null, 2)}\n`);

    const written = JSON.parse(readFileSync(ANSWERS_FILE, "utf8")) as Record<string, unknown>;

    expect(written).toEqual(fresh);
    expect(Object.keys(written).length).toBeGreaterThan(50);
  });

  /** A mutation that is audited leaves entries under its request, any other operation leaves none. */
  async function expectRecorded(described: DescribedOperation, requestId: unknown): Promise<void> {
    const entries = await gateway.db.$queryRaw<{ operation: string }[]>`
      /* all companies */ SELECT DISTINCT operation FROM audit_entries WHERE request_id = ${String(requestId)}`;
    const name = audited.get(`${described.method} ${described.path}`);
    const written = entries.map((entry) => entry.operation);
    if (name !== undefined && MAY_CHANGE_NOTHING.has(name) && written.length === 0) return;

    expect(written).toEqual(name === undefined ? [] : [name]);
  }

  /** Puts a link of now into the place of one that has ended. */
  async function signed(url: string, client: Client): Promise<string> {
    if (!url.includes("signature=")) return url;
    const [path = ""] = url.split("?");
    const [companyId, clientId] = [...path.matchAll(/\d+/gu)].map(([id]) => Number(id));
    const ending = await linkEnding(client, companyId as number, clientId as number);
    return `${path}?${new URLSearchParams({ ...ending }).toString()}`;
  }

  function withTold(example: unknown): unknown {
    if (typeof example !== "object" || example === null || Array.isArray(example)) return example;
    return Object.fromEntries(
      Object.entries(example).map(([key, value]) => {
        if (key === "url" && value === PICTURE) return [key, `http://${web.host}/picture.png`];
        const [operationId, told] = TOLD[key] ?? [];
        return [key, answers.get(operationId ?? "")?.[told ?? ""] ?? value];
      }),
    );
  }
});

it("promises an ETag of each change of one resource that is answered", () => {
  const without = operations
    .filter(
      (described) =>
        parametersOf(document, described).some(({ name }) => name === "If-Match") &&
        "200" in described.operation.responses &&
        !("ETag" in headersOf(described, "200")),
    )
    .map(({ method, path }) => `${method} ${path}`);

  expect(without).toEqual([]);
});

it("gives a value to each parameter that has to be sent", () => {
  const bare = operations.flatMap((described) =>
    parametersOf(document, described)
      .filter(
        ({ required, example, examples }) =>
          required === true && example === undefined && examples === undefined,
      )
      .map(({ name }) => `${described.method} ${described.path}: ${name}`),
  );

  expect(bare).toEqual([]);
});

function headersOf({ operation }: DescribedOperation, status = ""): object {
  return (operation.responses[status] as { headers?: object } | undefined)?.headers ?? {};
}

function problemOf(body: unknown): unknown {
  const code = (body as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && "detail" in (body as object) ? body : null;
}
