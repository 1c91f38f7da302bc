import { NO_JSON, type Db } from "../../src/core/db/db.js";
import { sql } from "../../src/core/db/sql.js";
import type { CompanyScope } from "../../src/core/scope/company-scope.js";
import { createCompanyScope } from "../../src/engine/tenancy/create-company-scope.js";
import { companyDb, unscopedDb } from "../../src/engine/tenancy/bounded-db.js";
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
    const db = companyDb(gateway.db, acme.id);
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
    const db = companyDb(gateway.db, acme.id);

    await expect(db.good.findMany({ where: { companyId: globex.id } })).rejects.toThrow(
      "names another company",
    );
    await expect(db.branchGroup.create({ data: { companyId: globex.id, name: "x" } })).rejects.toThrow(
      "names another company",
    );
  });

  it("writes NULL into a column of JSON, one row or many, and in a transaction too", async () => {
    const db = companyDb(gateway.db, acme.id);
    const data = {
      companyId: acme.id,
      name: "Water",
      shortDetails: "",
      details: "",
      priceE2: 1,
      type: 0,
      unitConfig: NO_JSON,
    };
    const unit = { data: { unitConfig: { step: 1 } } };

    const { id } = await db.good.create({ data: { ...data, ...unit.data } });
    const changed = await db.good.update({
      where: { companyId_id: { companyId: acme.id, id } },
      data: { unitConfig: NO_JSON },
    });
    await db.good.createMany({ data: [data, { ...data, ...unit.data }] });
    await db.$transaction((inside) => inside.good.updateMany({ data: { unitConfig: NO_JSON } }));

    expect(changed.unitConfig).toBeNull();
    const [row] = await db.$queryRaw<{ rows: number; nulls: number }[]>`
      SELECT count(*)::int AS rows, count(*) FILTER (WHERE unit_config IS NULL)::int AS nulls
        FROM goods WHERE company_id = ${acme.id}`;
    expect(row).toEqual({ rows: 3, nulls: 3 });
  });

  it("binds the parts of a statement as values and text, in a transaction too", async () => {
    const db = companyDb(gateway.db, acme.id);
    const count = (inside: Db) => inside.$queryRaw`
      SELECT count(*)::int AS count FROM goods WHERE ${sql`company_id = ${acme.id}`} AND ${sql.raw("name")} = ${"'"}`;

    expect(await count(db)).toEqual([{ count: 0 }]);
    expect(await db.$transaction(count)).toEqual([{ count: 0 }]);
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

  it("lets others go on between the items of long work, but not inside a transaction, for whose locks they wait", async () => {
    const scope = createCompanyScope(gateway.db, companyFacts(acme.id), { kind: "platform" }, new Date());
    const roundsOf = async ({ mapInSlices }: CompanyScope): Promise<number> => {
      let isFirst = true;
      let rounds = 0;
      await mapInSlices([1, 2, 3], () => {
        if (isFirst) setImmediate(() => (rounds += 1));
        isFirst = false;
        const end = performance.now() + 2;
        while (performance.now() < end);
      });
      return rounds;
    };

    expect(await roundsOf(scope)).toBe(1);
    expect(await scope.transaction(roundsOf)).toBe(0);
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
    const client = unscopedDb(gateway.db);
    const property = client.property as unknown as Record<string, (args: object) => Promise<unknown>>;

    await expect(property[operation]?.(args)).rejects.toThrow("without a company");
  });

  it("lets through what names a company", async () => {
    const { id } = await createGood(gateway, acme.id);

    const good = await unscopedDb(gateway.db).good.findUniqueOrThrow({
      where: { companyId_id: { companyId: acme.id, id } },
    });

    expect(good.id).toBe(id);
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
