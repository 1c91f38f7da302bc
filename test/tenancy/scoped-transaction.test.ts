import { companyDb, sendAhead, unscopedDb } from "../../src/engine/tenancy/bounded-db.js";
import type { Db } from "../../src/core/db/db.js";
import { sql } from "../../src/core/db/sql.js";
import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
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

/** Runs as one company in a transaction that was begun without a company. */
const within = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  unscopedDb(gateway.db).$transaction((tx) => work(companyDb(tx, acme.id)));

describe("a transaction under way, for one company", () => {
  it("adds the company to every condition and every new row", async () => {
    const foreign = await createProperty(gateway, globex.id, { name: "Foreign" });

    const [made, changed, removed, found] = await within(async (db) => [
      await db.branchGroup.create({ data: { name: "Shop" } as never }),
      await db.property.updateMany({ data: { name: "Changed" } }),
      await db.property.deleteMany({ where: { id: foreign.id } }),
      await db.property.count(),
    ]);

    expect(made.companyId).toBe(acme.id);
    expect([changed.count, removed.count, found]).toEqual([0, 0, 0]);
    expect(await gateway.db.property.findFirst({ where: { companyId: globex.id } })).toMatchObject({
      name: "Foreign",
    });
  });

  it("refuses to name another company", async () => {
    const read = within((db) => db.good.findMany({ where: { companyId: globex.id } }));

    await expect(read).rejects.toThrow("names another company");
  });

  it("leaves global models and raw SQL as they are", async () => {
    const companies = await within(async (db) => ({
      counted: await db.company.count(),
      raw: await db.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM companies`,
    }));

    expect(companies.raw).toEqual([{ n: companies.counted }]);
  });

  it("undoes a transaction within it alone", async () => {
    const material = (name: string) => ({ data: { companyId: acme.id, name } });

    const names = await within(async (db) => {
      await db.material.create(material("Kept"));
      const failed = db.$transaction(async (inner) => {
        await inner.material.create({ data: { name: "Undone" } as never });
        throw new Error("undo");
      });
      await expect(failed).rejects.toThrow("undo");
      return (await db.material.findMany()).map(({ name }) => name);
    });

    expect(names).toEqual(["Kept"]);
  });

  it("sends statements ahead whose texts differ late", async () => {
    const settings = await within(async (db) => {
      for (const value of ["1", "2", "3"]) {
        await sendAhead(
          db,
          sql`SELECT set_config('ahead.one_setting_with_a_long_name_ending_in_a', ${value}, true)`,
        );
        await sendAhead(
          db,
          sql`SELECT set_config('ahead.one_setting_with_a_long_name_ending_in_b', ${`-${value}`}, true)`,
        );
      }
      return db.$queryRaw<object[]>`
        SELECT current_setting('ahead.one_setting_with_a_long_name_ending_in_a') AS a,
               current_setting('ahead.one_setting_with_a_long_name_ending_in_b') AS b`;
    });

    expect(settings).toEqual([{ a: "3", b: "-3" }]);
  });
});
