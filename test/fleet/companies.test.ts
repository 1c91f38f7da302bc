import {
  adminWith,
  createBranch,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { createAssociation, createFleetRows } from "./associations.js";

let gateway: Gateway;
let home: TestCompany;
let other: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  home = await createCompany(gateway);
  other = await createCompany(gateway);
});
afterAll(() => gateway.close());

const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id).sort((a, b) => a - b);

/** Every path without a company, with the rows that it names. */
async function pathsOf(company: TestCompany) {
  const { id } = await createAssociation(gateway, company.id);
  const branchId = (await createBranch(gateway, company.id)).id;
  const body = await createFleetRows(gateway, company.id);
  const { serviceId, serviceChargeId } = body;
  return [
    ["GET", `/fleet-associations/${id}`],
    ["PATCH", `/fleet-associations/${id}`, { serviceId, serviceChargeId, in_order: 9 }],
    ["POST", `/fleet-associations/${id}/set-disabled`],
    ["POST", `/fleet-associations/${id}/set-enabled`],
    ["GET", `/branches/${branchId}/fleet-associations`],
    [
      "POST",
      `/branches/${branchId}/fleet-associations`,
      { fleet_id: body.fleetId, service_id: serviceId, service_charge_id: serviceChargeId },
    ],
    ["DELETE", `/fleet-associations/${id}`],
  ].map(([method, path, sent]) => ({
    method: method as "GET",
    path: path as string,
    body:
      method === "PATCH" ? { service_id: serviceId, service_charge_id: serviceChargeId, in_order: 9 } : sent,
  }));
}

async function statusesOf(caller: Client, paths: Awaited<ReturnType<typeof pathsOf>>) {
  const statuses: number[] = [];
  for (const { method, path, body } of paths)
    statuses.push((await caller.rest(method, path, body === undefined ? {} : { body })).status);
  return statuses;
}

const rowsOf = async (company: TestCompany) =>
  JSON.stringify(
    await gateway.db.fleetAssociation.findMany({ where: { companyId: company.id }, orderBy: { id: "asc" } }),
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
  );

describe("fleet associations by paths without a company", () => {
  it("act in the company of an admin's token, and in the platform's case in that of the row", async () => {
    for (const caller of [home.owner, gateway.platform]) {
      const statuses = await statusesOf(caller, await pathsOf(home));

      expect(statuses).toEqual([200, 200, 200, 200, 200, 201, 204]);
    }
  });

  it("do not find the rows of another company, and change nothing there", async () => {
    const paths = await pathsOf(other);
    const before = await rowsOf(other);

    const statuses = await statusesOf(home.owner, paths);

    expect(statuses).toEqual(paths.map(() => 404));
    expect(await rowsOf(other)).toBe(before);
    expect(await rowsOf(home)).toBe("[]");
  });

  it("do not put an association with rows of one's own to another company's branch", async () => {
    const branch = await createBranch(gateway, other.id);
    const { fleetId, serviceId, serviceChargeId } = await createFleetRows(gateway, home.id);

    const { status } = await home.owner.rest("POST", `/branches/${branch.id}/fleet-associations`, {
      body: { fleet_id: fleetId, service_id: serviceId, service_charge_id: serviceChargeId },
    });

    expect(status).toBe(404);
    expect([await rowsOf(home), await rowsOf(other)]).toEqual(["[]", "[]"]);
  });

  it("refuse whoever has no token, no permission or is a client, before they look for rows", async () => {
    const paths = await pathsOf(home);
    const foreign = await pathsOf(other);
    const before = [await rowsOf(home), await rowsOf(other)];
    const without = await adminWith(gateway, home.id, "access_goods");
    const { client } = await signedInClient(gateway, home.id);

    for (const [caller, status] of [
      [gateway.anonymous, 401],
      [without, 403],
      [client, 403],
    ] as const) {
      expect(await statusesOf(caller, [...paths, ...foreign])).toEqual(Array<number>(14).fill(status));
      expect((await caller.rest("GET", "/fleet-associations")).status).toBe(status);
    }
    expect([await rowsOf(home), await rowsOf(other)]).toEqual(before);
  });

  it("let who may only read not write", async () => {
    const paths = await pathsOf(home);
    const before = await rowsOf(home);
    const reader = await adminWith(gateway, home.id, "access_fleet");

    expect(await statusesOf(reader, paths)).toEqual([200, 403, 403, 403, 200, 403, 403]);
    expect(await rowsOf(home)).toBe(before);
  });

  it("tell the platform of rows that nobody has, and of those of a deleted company, that there are none", async () => {
    const paths = await pathsOf(other);
    await gateway.platform.rest("DELETE", `/companies/${other.id}`);
    const before = await rowsOf(other);

    expect(await statusesOf(gateway.platform, paths)).toEqual(paths.map(() => 404));
    expect((await gateway.platform.rest("GET", "/fleet-associations/2000000000")).status).toBe(404);
    expect((await gateway.platform.rest("GET", "/fleet-associations/0")).status).toBe(404);
    expect((await gateway.platform.rest("GET", "/fleet-associations/x")).status).toBe(404);
    expect(await rowsOf(other)).toBe(before);
  });

  it("refuse wrong fields only after the row was found", async () => {
    const { id } = await createAssociation(gateway, other.id);
    const body = { in_order: -1 };

    const foreign = await home.owner.rest("PATCH", `/fleet-associations/${id}`, { body });
    const known = await gateway.platform.rest("PATCH", `/fleet-associations/${id}`, { body });

    expect([foreign.status, known.status]).toEqual([404, 422]);
  });

  it("take the ids of a body in the row's company, also for the platform", async () => {
    const { id } = await createAssociation(gateway, home.id);
    const { serviceId, serviceChargeId } = await createFleetRows(gateway, other.id);
    const before = await rowsOf(home);

    const { status, body } = await gateway.platform.rest("PATCH", `/fleet-associations/${id}`, {
      body: { service_id: serviceId, service_charge_id: serviceChargeId },
    });

    expect(status).toBe(422);
    expect(body.errors.map(({ field, rule }: Record<string, string>) => `${field}:${rule}`).sort()).toEqual([
      "service_charge_id:exists",
      "service_id:exists",
    ]);
    expect(await rowsOf(home)).toBe(before);
  });
});

describe("the list of fleet associations", () => {
  it("shows an admin those of its company, on every path", async () => {
    const own = [
      await createAssociation(gateway, home.id),
      await createAssociation(gateway, home.id, { ofBranch: true }),
    ];
    await createAssociation(gateway, other.id);

    const all = await home.owner.rest("GET", "/fleet-associations");
    const ofCompany = await home.owner.rest("GET", `/companies/${home.id}/fleet-associations`);
    const foreign = await home.owner.rest("GET", `/companies/${other.id}/fleet-associations`);
    const ofBranch = await home.owner.rest("GET", `/branches/${String(own[1]?.branchId)}/fleet-associations`);

    const ids = own.map(({ id }) => id);
    expect([idsOf(all), idsOf(ofCompany), foreign.status]).toEqual([ids, ids, 403]);
    expect(idsOf(ofBranch)).toEqual([own[1]?.id]);
  });

  it("shows the platform those of all companies that are not deleted: by pages, filtered, sorted and counted", async () => {
    const gone = await createCompany(gateway);
    await createAssociation(gateway, gone.id);
    await gateway.platform.rest("DELETE", `/companies/${gone.id}`);
    const mine: number[] = [];
    for (const [index, company] of [home, other, home, other].entries())
      mine.push((await createAssociation(gateway, company.id, { inOrder: 900_000 + index })).id);
    const filter = `filter[id][in]=${mine.join()}&filter[in_order][gte]=900001&sort=-in_order`;

    const first = await gateway.platform.rest("GET", `/fleet-associations?${filter}&per_page=2`);
    const second = await gateway.platform.rest("GET", `/fleet-associations?${filter}&per_page=2&page=2`);
    const wanted = [mine[3], mine[2], mine[1]];

    expect([...first.body, ...second.body].map(({ id }: { id: number }) => id)).toEqual(wanted);
    expect(first.headers["x-total-count"]).toBe("3");
    const everything = await gateway.platform.run(
      "{ fleetAssociations(first: 200, orderBy: [{ field: ID, direction: DESC }]) { totalCount nodes { id companyId } } }",
    );
    const { nodes, totalCount } = dataOf(everything)["fleetAssociations"];
    const companies = new Set(nodes.map(({ companyId }: { companyId: number }) => companyId));
    expect([companies.has(home.id), companies.has(other.id), companies.has(gone.id)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(totalCount).toBeGreaterThanOrEqual(4);
  });

  it("goes on by cursors over all companies, whose cursors are no company's", async () => {
    const mine: number[] = [];
    for (const company of [home, other, home]) mine.push((await createAssociation(gateway, company.id)).id);
    const filter = `filter[id][in]=${mine.join()}&sort=id&per_page=1`;
    const seen: number[] = [];
    let path: string | undefined = `/fleet-associations?${filter}&cursor=`;
    let cursor = "";
    while (path !== undefined) {
      const { body, headers } = await gateway.platform.rest("GET", path);
      seen.push(...idsOf({ body }));
      const next = /cursor=(?<cursor>[^&>]+)[^>]*>; rel="next"/u.exec(String(headers["link"]))?.groups?.[
        "cursor"
      ];
      cursor = next ?? cursor;
      path = next === undefined ? undefined : `/fleet-associations?${filter}&cursor=${next}`;
    }

    expect(seen).toEqual(mine);
    const elsewhere = await home.owner.rest("GET", `/fleet-associations?${filter}&cursor=${cursor}`);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  it("loads relations of all companies by one statement for each company and kind", async () => {
    const mine: number[] = [];
    for (const company of [home, other])
      for (let n = 0; n < 3; n += 1)
        mine.push((await createAssociation(gateway, company.id, { ofBranch: true })).id);
    gateway.statements.length = 0;

    const { status, body } = await gateway.platform.rest(
      "GET",
      `/fleet-associations?filter[id][in]=${mine.join()}&load=fleet,service,service_charge,branch&cursor=`,
    );

    expect(status).toBe(200);
    expect(
      body.every(
        (row: any) => row.fleet.id === row.fleet_id && row.service_charge.id === row.service_charge_id,
      ),
    ).toBe(true);
    expect(gateway.statements.filter((text) => text.startsWith("SELECT")).length).toBe(9);
  });
});

describe("fleet associations in GraphQL", () => {
  const SHOW =
    "query ($companyId: Int, $id: Int!) { fleetAssociation(companyId: $companyId, id: $id) { id companyId } }";

  it("take a company or none", async () => {
    const { id } = await createAssociation(gateway, home.id);

    for (const [caller, companyId, codes] of [
      [home.owner, undefined, []],
      [home.owner, null, []],
      [home.owner, home.id, []],
      [gateway.platform, undefined, []],
      [gateway.platform, home.id, []],
      [gateway.platform, other.id, ["NOT_FOUND"]],
      [other.owner, undefined, ["NOT_FOUND"]],
      [other.owner, home.id, ["FORBIDDEN"]],
      [gateway.anonymous, undefined, ["UNAUTHENTICATED"]],
    ] as const) {
      const result = await caller.run(SHOW, { id, ...(companyId !== undefined && { companyId }) });

      expect(errorCodes(result)).toEqual(codes);
      if (codes.length === 0) expect(dataOf(result)["fleetAssociation"]).toEqual({ id, companyId: home.id });
    }
  });

  it("tell rows of several companies in one document apart", async () => {
    const [one, two] = [
      await createAssociation(gateway, home.id),
      await createAssociation(gateway, other.id),
    ];
    const document = `{ one: fleetAssociation(id: ${one.id}) { id companyId } two: fleetAssociation(id: ${two.id}) { id companyId } }`;

    const ofPlatform = await gateway.platform.run(document);
    const ofHome = await home.owner.run(document);
    const ofOther = await other.owner.run(document);

    expect(dataOf(ofPlatform)).toEqual({
      one: { id: one.id, companyId: home.id },
      two: { id: two.id, companyId: other.id },
    });
    expect([ofHome.data?.["one"]?.companyId, ofHome.data?.["two"], errorCodes(ofHome)]).toEqual([
      home.id,
      null,
      ["NOT_FOUND"],
    ]);
    expect([ofOther.data?.["one"], ofOther.data?.["two"]?.companyId]).toEqual([null, other.id]);
  });

  it("keep answers of one caller from the next, with the same text", async () => {
    const { id } = await createAssociation(gateway, home.id);
    const document = `{ fleetAssociations(filter: { id: { eq: ${id} } }) { nodes { id } } }`;

    const counts: number[] = [];
    for (const caller of [home.owner, other.owner, gateway.platform, other.owner, home.owner])
      counts.push(dataOf(await caller.run(document))["fleetAssociations"].nodes.length);

    expect(counts).toEqual([1, 0, 1, 0, 1]);
  });

  it("are closed to admins of a company that the platform has disabled", async () => {
    const { id } = await createAssociation(gateway, home.id);
    await gateway.db.company.update({ where: { id: home.id }, data: { enabled: false } });
    await gateway.platform.rest("PATCH", `/companies/${home.id}`, { body: { enabled: false } });

    const ofOwner = await home.owner.rest("GET", `/fleet-associations/${id}`);
    const ofPlatform = await gateway.platform.rest("GET", `/fleet-associations/${id}`);

    expect([ofOwner.status, ofPlatform.status]).toEqual([
      (await home.owner.rest("GET", `/companies/${home.id}/fleet-associations`)).status,
      200,
    ]);
  });
});
