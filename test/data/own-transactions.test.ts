import { lateClient } from "../../src/engine/writes/late-client.js";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { unscopedDb } from "../../src/engine/tenancy/bounded-db.js";
import type { Db } from "../../src/core/db/db.js";
import { Prisma } from "../../src/generated/prisma/client.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { until } from "../support/replica.js";

let gateway: Gateway;
let database: Database;
let writer: Db;
let company: TestCompany;
const statements: string[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  database = await createDatabase({
    url: gateway.url,
    poolSize: 2,
    onQuery: (text) => void statements.push(text),
  });
  writer = unscopedDb(database.writer);
});
afterAll(async () => {
  await database.close();
  await gateway.close();
});
beforeEach(() => void (statements.length = 0));

const materialOf = (name: string) => ({ companyId: company.id, name });

async function names(): Promise<string[]> {
  const rows = await gateway.db.material.findMany({
    where: { companyId: company.id },
    orderBy: { id: "asc" },
  });
  return rows.map(({ name }) => name);
}

describe("a transaction", () => {
  beforeEach(async () => void (await gateway.db.material.deleteMany({ where: { companyId: company.id } })));

  it("writes what was done in it, once it is done", async () => {
    const made = await writer.$transaction(async (tx) => {
      const row = await tx.material.create({ data: materialOf("wood") });
      expect(await names()).toEqual([]);
      return row;
    });

    expect(made).toMatchObject({ name: "wood", companyId: company.id, createdAt: expect.any(Date) as Date });
    expect(await names()).toEqual(["wood"]);
  });

  it("undoes everything when its work throws", async () => {
    const work = writer.$transaction(async (tx) => {
      await tx.material.create({ data: materialOf("wood") });
      throw new Error("no");
    });

    await expect(work).rejects.toThrow("no");
    expect(await names()).toEqual([]);
    await until(() => database.pool.idleCount === database.pool.totalCount);
  });

  it("undoes a part of it by itself", async () => {
    await writer.$transaction(async (tx) => {
      await tx.material.create({ data: materialOf("wood") });
      const part = tx.$transaction(async (inside) => {
        await inside.material.create({ data: materialOf("lead") });
        throw new Error("no");
      });
      await expect(part).rejects.toThrow("no");
      await tx.$transaction((inside) => inside.material.create({ data: materialOf("iron") }));
    });

    expect(await names()).toEqual(["wood", "iron"]);
  });

  it("goes on after a part that a statement has failed in", async () => {
    await writer.$transaction(async (tx) => {
      const part = tx.$transaction((inside) => inside.$queryRaw`SELECT 1 / ${0}::int`);
      await expect(part).rejects.toThrow("division by zero");
      await tx.material.create({ data: materialOf("iron") });
    });

    expect(await names()).toEqual(["iron"]);
  });

  it("lets Prisma's engine do what is not simple over the same connection, nested writes too", async () => {
    await writer.$transaction(async (tx) => {
      const { id } = await tx.property.create({
        data: {
          ...materialOf("colour"),
          type: 0,
          propertyOptions: { create: { name: "red", inOrder: 0 } },
        } as never,
      });
      const found = await tx.property.findFirst({
        where: { companyId: company.id, id },
        include: { propertyOptions: true },
      });
      expect(found?.propertyOptions).toMatchObject([{ name: "red" }]);
      expect(await gateway.db.property.count({ where: { companyId: company.id } })).toBe(0);
    });

    expect(await gateway.db.property.count({ where: { companyId: company.id } })).toBe(1);
  });

  it("sends what needs no answer with the next statement", async () => {
    await writer.$transaction((tx) =>
      tx.$transaction((inside) => inside.$queryRaw`SELECT set_config('lock_timeout', '5s', true)`),
    );

    expect(statements).toEqual([
      "SAVEPOINT part_1",
      expect.stringContaining("lock_timeout"),
      "RELEASE SAVEPOINT part_1",
      "COMMIT",
    ]);
  });

  it("keeps the plans of reads by keys, whatever is planned for its values and undone before them", async () => {
    const read = (tx: Db) => tx.goodTag.findMany({ where: { companyId: company.id }, select: { id: true } });

    const plans = await writer.$transaction(async (tx) => {
      await read(tx);
      await tx.$queryRaw`SELECT id FROM goods WHERE company_id = ${company.id}`;
      await read(tx);
      const undone = tx.$transaction(async (part) => {
        await read(part);
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      await read(tx);
      return tx.$queryRaw`
        SELECT generic_plans::int AS generic, custom_plans::int AS custom /* all companies */ FROM pg_prepared_statements
         WHERE statement LIKE '%FROM "good_tags"%'`;
    });

    // The first run is not prepared yet.
    expect(plans).toEqual([{ generic: 3, custom: 0 }]);
  });

  it("sends nothing when nothing is done in it", async () => {
    await writer.$transaction(() => Promise.resolve());

    expect(statements).toEqual([]);
  });

  it("answers the same rows as Prisma, whatever the type of a column", async () => {
    const id = (
      await gateway.db.good.create({
        data: {
          companyId: company.id,
          name: 'a "quoted" \\ name',
          shortDetails: "short",
          details: "long",
          priceE2: 9_007_199_254_740_991n,
          type: 0,
          providerFeePrc: new Prisma.Decimal("0.1234"),
          unitConfig: { grams: [1, 2.5], text: "a" },
          keywords: ['with "quotes"', "back\\slash", "NULL", "", "a,b"],
        },
      })
    ).id;
    const where = { companyId: company.id, id };
    const byPrisma = await gateway.db.good.findFirstOrThrow({ where });

    const copy = await writer.$transaction(async (tx) => {
      const found = await tx.good.findUniqueOrThrow({
        where: { companyId_id: where, companyId: company.id },
      });
      expect(found).toEqual(byPrisma);
      const { id: _, createdAt, updatedAt, unitConfig, ...others } = found;
      return tx.good.create({ data: { ...others, createdAt, updatedAt, unitConfig: unitConfig as object } });
    });

    expect({ ...copy, id }).toEqual(byPrisma);
    expect(await gateway.db.good.findFirst({ where: { companyId: company.id, id: copy.id } })).toEqual(copy);
  });

  it("changes, counts and deletes rows as Prisma does", async () => {
    await writer.$transaction(async (tx) => {
      const of = { companyId: company.id };
      const { count } = await tx.material.createMany({ data: ["a", "b", "c"].map(materialOf) });
      const [first] = await tx.material.findMany({ where: of, orderBy: { id: "asc" } });
      const id = first?.id as number;
      const changed = await tx.material.update({
        where: { companyId_id: { ...of, id }, ...of },
        data: { name: "A", createdAt: undefined },
      });
      const several = await tx.material.updateMany({
        where: { ...of, name: { in: ["b", "c"] } },
        data: { name: "d" },
      });
      const gone = await tx.material.delete({ where: { companyId_id: { ...of, id }, ...of } });
      const left = await tx.material.count({ where: of });
      const cleared = await tx.material.deleteMany({ where: { ...of, name: "d" } });

      expect([count, changed.name, several.count, gone.id, left, cleared.count]).toEqual([
        3,
        "A",
        2,
        id,
        2,
        2,
      ]);
      expect(changed.updatedAt.getTime()).toBeGreaterThanOrEqual((first?.updatedAt as Date).getTime());
    });
  });

  it("reports a taken key, and a row that is not there, as Prisma does", async () => {
    const where = { companyId_id: { companyId: company.id, id: 1 }, companyId: company.id };
    const missing = writer.$transaction((tx) => tx.material.update({ where, data: { name: "x" } }));
    const taken = writer.$transaction(async (tx) => {
      const { id } = await tx.material.create({ data: materialOf("one") });
      await tx.material.create({ data: { ...materialOf("two"), id } });
    });

    await expect(missing).rejects.toMatchObject({ code: "P2025" });
    await expect(taken).rejects.toMatchObject({ code: "P2002" });
    expect(await names()).toEqual([]);
  });

  it("refuses a statement that comes when it is over", async () => {
    let late: Db | undefined;
    await writer.$transaction(async (tx) => {
      late = tx;
      await tx.material.create({ data: materialOf("wood") });
    });

    await expect((late as Db).$queryRaw`SELECT 1`).rejects.toThrow("is over");
  });

  it("refuses a query on a company's rows that names no company", async () => {
    await expect(writer.$transaction((tx) => tx.material.findMany({}))).rejects.toThrow("without a company");
  });
});

it("makes a client of Prisma when it is used first, and none to close it", async () => {
  let made = 0;
  const late = lateClient(() => {
    made += 1;
    return gateway.db;
  });

  await late.close();
  expect(made).toBe(0);
  await late.client.company.count();
  await late.client.$queryRaw`SELECT 1`;
  expect(made).toBe(1);
});
