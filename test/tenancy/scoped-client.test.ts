import { createCompanyScope } from "../../src/engine/tenancy/create-company-scope.js";
import { scopedClient, unscopedClient } from "../../src/engine/tenancy/scoped-client.js";
import { companyFacts } from "../support/company-row.js";
import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let acme: TestCompany;
let globex: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  acme = await createCompany(gateway);
  globex = await createCompany(gateway);
});
afterAll(() => gateway.close());

describe("the client of one company", () => {
  it("adds the company to every condition and every new row", async () => {
    const db = scopedClient(gateway.db, acme.id);
    const foreign = await createProperty(gateway, globex.id, { name: "Foreign" });

    const made = await db.branchGroup.create({ data: { name: "Shop" } as never });
    await db.property.createMany({ data: [{ name: "A" }, { name: "B" }] as never });
    const changed = await db.property.updateMany({ data: { name: "Changed" } });
    const removed = await db.property.deleteMany({ where: { id: foreign.id } });

    expect(made.companyId).toBe(acme.id);
    expect(changed.count).toBe(2);
    expect(removed.count).toBe(0);
    expect(await db.property.findFirst({ where: { id: foreign.id } })).toBeNull();
    expect(await db.property.count()).toBe(2);
    expect(await gateway.db.property.findFirst({ where: { companyId: globex.id } })).toMatchObject({
      name: "Foreign",
    });
  });

  it("refuses to name another company", async () => {
    const db = scopedClient(gateway.db, acme.id);

    await expect(db.good.findMany({ where: { companyId: globex.id } })).rejects.toThrow(
      "names another company",
    );
    await expect(db.branchGroup.create({ data: { companyId: globex.id, name: "x" } })).rejects.toThrow(
      "names another company",
    );
  });

  it("is the same inside a transaction, and a nested one is that transaction", async () => {
    const scope = createCompanyScope(gateway.db, companyFacts(acme.id), { kind: "platform" }, new Date());

    const failed = scope.transaction(async (outer) => {
      await outer.transaction((inner) =>
        inner.db.material.create({ data: { companyId: acme.id, name: "Flour" } }),
      );
      expect(await outer.db.material.count()).toBe(1);
      throw new Error("undo");
    });

    await expect(failed).rejects.toThrow("undo");
    expect(await gateway.db.material.count({ where: { companyId: acme.id } })).toBe(0);
  });
});

describe("the client without a company", () => {
  it.each([
    ["findMany", {}],
    ["findFirst", { where: { id: 1 } }],
    ["count", {}],
    ["deleteMany", { where: { id: { gt: 0 } } }],
    ["updateMany", { data: { name: "x" } }],
    ["create", { data: { name: "x" } }],
    ["createMany", { data: [{ companyId: 1, name: "x" }, { name: "y" }] }],
  ] as const)("refuses %s on a tenant model without its company", async (operation, args) => {
    const client = unscopedClient(gateway.db);
    const property = client.property as unknown as Record<string, (args: object) => Promise<unknown>>;

    await expect(property[operation]?.(args)).rejects.toThrow("without a company");
  });

  it("lets through what names a company", async () => {
    const { id } = await createGood(gateway, acme.id);

    const good = await unscopedClient(gateway.db).good.findUnique({
      where: { companyId_id: { companyId: acme.id, id } },
    });

    expect(good?.id).toBe(id);
  });
});

it("cannot link rows of two companies, whoever writes", async () => {
  const good = await createGood(gateway, acme.id);
  const property = await createProperty(gateway, globex.id);

  const link = gateway.db.goodProperty.create({
    data: { companyId: acme.id, goodId: good.id, propertyId: property.id, displayName: "x" },
  });

  await expect(link).rejects.toMatchObject({ code: "P2003" });
});
