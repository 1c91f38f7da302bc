import type { Runtime } from "../../src/core/operations/operation-context.js";
import { noteExport } from "../../src/engine/audit/note-export.js";
import { createCompany, createGood } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { csv, openShop, send, type Shop } from "../imports/imports.js";

const TRAIL = `query ($companyId: Int!, $action: AuditAction = export) {
  auditEntries(companyId: $companyId, filter: { action: { eq: $action } }) {
    nodes { operation actorKind adminId targetType targetId changes { field after } } } }`;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

it("has who took out how many rows as a file, and nothing of a page", async () => {
  const company = await createCompany(gateway);
  const goods = `/companies/${company.id}/goods`;
  for (let n = 0; n < 3; n += 1) await createGood(gateway, company.id);
  await company.owner.rest("GET", goods);

  const { status } = await company.owner.rest("GET", `${goods}?format=csv`);

  expect(status).toBe(200);
  const { nodes } = dataOf(await company.owner.run(TRAIL, { companyId: company.id }))["auditEntries"];
  expect(nodes).toEqual([
    {
      operation: "goods",
      actorKind: "admin",
      adminId: company.ownerId,
      targetType: "good",
      targetId: null,
      changes: [
        { field: "format", after: "csv" },
        { field: "isWhole", after: true },
        { field: "rows", after: 3 },
      ],
    },
  ]);
});

it("has what is no row of a kind as the company's", async () => {
  const company = await createCompany(gateway);

  await company.owner.rest("GET", `/companies/${company.id}/trial-balance?format=csv`);

  const { nodes } = dataOf(await company.owner.run(TRAIL, { companyId: company.id }))["auditEntries"];
  expect(nodes).toMatchObject([
    { operation: "trialBalanceRows", targetType: "company", targetId: company.id },
  ]);
});

it("has a file whose end the database was not reached at, once it is", async () => {
  const company = await createCompany(gateway);
  const { db: writer } = gateway;
  const lost = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });
  let tries = 0;
  const $queryRaw = (...statement: Parameters<typeof writer.$queryRaw>): Promise<unknown> => {
    tries += 1;
    return tries === 1 ? Promise.reject(lost) : writer.$queryRaw(...statement);
  };
  const runtime = { writer: { $queryRaw } } as unknown as Runtime;
  const caller = { kind: "admin", id: company.ownerId, companyId: company.id } as const;
  const file = { operation: "goods", type: "Good", format: "csv", rows: 2, isWhole: false };

  await noteExport({ id: "broken-off", caller, runtime }, { companyId: company.id, ...file });

  const { nodes } = dataOf(await company.owner.run(TRAIL, { companyId: company.id }))["auditEntries"];
  expect([tries, nodes]).toMatchObject([2, [{ operation: "goods", adminId: company.ownerId }]]);
});

describe("of an import", () => {
  const SHEET = csv(["sku", "name", "price"], ["A-1", "Water", 1], ["A-2", "Bread", "none"]);
  const importedBy = async (shop: Shop) =>
    dataOf(await shop.company.owner.run(TRAIL, { companyId: shop.company.id, action: "import" }))[
      "auditEntries"
    ].nodes as { changes: { field: string; after: unknown }[] }[];

  it("has who brought in how many rows, once it has ended", async () => {
    const shop = await openShop(gateway);
    const { body } = await send(shop, SHEET);
    expect(await importedBy(shop)).toEqual([]);

    await gateway.runJobs();

    expect(await importedBy(shop)).toEqual([
      {
        operation: "importBranchGroupGoods",
        actorKind: "admin",
        adminId: shop.company.ownerId,
        targetType: "import_job",
        targetId: body.id,
        changes: [
          { field: "dryRun", after: false },
          { field: "failed", after: 1 },
          { field: "imported", after: 1 },
          { field: "status", after: "finished" },
          { field: "totalRows", after: 2 },
          { field: "updated", after: 0 },
        ],
      },
    ]);
  });

  it("has one that was canceled as well", async () => {
    const shop = await openShop(gateway);
    const { body } = await send(shop, SHEET);

    await shop.company.owner.run(
      "mutation ($c: Int!, $id: Int!) { cancelImport(companyId: $c, importJobId: $id) { id } }",
      { c: shop.company.id, id: body.id },
    );
    await gateway.runJobs();

    const [entry, ...more] = await importedBy(shop);
    expect(more).toEqual([]);
    expect(entry?.changes).toContainEqual({ field: "status", after: "failed" });
    expect(entry?.changes).toContainEqual({ field: "imported", after: 0 });
  });
});
