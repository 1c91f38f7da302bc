import { MODEL_FACTS } from "../../src/generated/models.js";
import { fillCompany } from "../support/fill-company.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const moment = (text: string): Date => new Date(text);

it("every row that a condition can be put on has a version", () => {
  const models = [...sharedSchema().operations.values()].flatMap(({ changedRow }) => changedRow?.model ?? []);

  expect(models).toEqual(expect.arrayContaining(["Good", "Coupon", "Order"]));
  expect(models.filter((model) => !MODEL_FACTS[model].fields.includes("version"))).toEqual([]);
});

it("every model with a moment of its change has a version, and its trigger", async () => {
  const models = Object.entries(MODEL_FACTS).filter(([, { fields }]) => fields.includes("updatedAt"));

  const triggers = await gateway.db.$queryRaw<{ table: string }[]>`
    SELECT c.relname AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgfoid = 'move_version'::regproc AND t.tgname = c.relname || '_version'`;

  expect(models.filter(([, { fields }]) => !fields.includes("version"))).toEqual([]);
  expect(triggers.map(({ table }) => table).sort()).toEqual(models.map(([, { table }]) => table).sort());
});

it("no trigger that changes rows comes after that of the version", async () => {
  const later = await gateway.db.$queryRaw`
    SELECT t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgtype & 3 = 3 AND t.tgtype & 16 = 16 AND t.tgname > c.relname || '_version'
       AND EXISTS (SELECT FROM pg_trigger v WHERE v.tgrelid = c.oid AND v.tgfoid = 'move_version'::regproc)`;

  expect(later).toEqual([]);
});

describe("a version", () => {
  const key = (id: number) => ({ companyId_id: { companyId: company.id, id } });
  const good = (id: number) => gateway.db.good.findUniqueOrThrow({ where: key(id) });
  const change = (id: number, data: object) => gateway.db.good.update({ where: key(id), data });

  it("is 1 at first and moves on by one at each change, by the clock of the database", async () => {
    const old = { createdAt: moment("2020-01-01T10:00:00Z"), updatedAt: moment("2020-01-01T10:00:00Z") };
    const { id } = await createGood(gateway, company.id, { name: "Old", ...old });
    const { version: before } = await good(id);

    const rows = [
      await change(id, { name: "A" }),
      await change(id, { name: "B", updatedAt: moment("2090-01-01") }),
    ];

    const [{ now }] = await gateway.db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    expect([before, ...rows.map((row) => row.version)]).toEqual([1, 2, 3]);
    for (const { updatedAt } of rows) {
      expect(updatedAt > old.updatedAt).toBe(true);
      expect(updatedAt <= now).toBe(true);
    }
  });

  it("stays with a change of nothing, and so does the moment", async () => {
    const { id } = await createGood(gateway, company.id, { name: "Same", priceE2: 5n });
    const before = await good(id);

    await change(id, { name: "Same", priceE2: 5n });
    await change(id, { updatedAt: moment("2090-01-01") });

    expect(await good(id)).toEqual(before);
  });

  it("moves on by one at each of 20 changes at once", async () => {
    const { id } = await createGood(gateway, company.id);

    const rows = await Promise.all(Array.from({ length: 20 }, (_, n) => change(id, { name: `New ${n}` })));

    expect(rows.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 2),
    );
  });

  it("comes back from a moment that is ahead of the clock", async () => {
    const ahead = moment("2090-01-01T10:00:00Z");
    const { id } = await createGood(gateway, company.id, { name: "Old", updatedAt: ahead });

    const { updatedAt, version, sharesSecond } = await change(id, { name: "New" });

    expect(updatedAt < ahead).toBe(true);
    expect([version, sharesSecond]).toEqual([2, true]);
  });

  it("says whether its second has an earlier state", async () => {
    const past = moment("2020-01-01T10:00:00.500Z");
    const { id } = await createGood(gateway, company.id, { name: "Old", createdAt: past, updatedAt: past });

    const first = await change(id, { name: "A" });
    const rows = await gateway.db.$transaction(async (db) => {
      const names = ["B", "C", "D"];
      const after = [];
      for (const name of names) after.push(await db.good.update({ where: key(id), data: { name } }));
      return after;
    });

    const second = (row: { updatedAt: Date }) => Math.floor(row.updatedAt.getTime() / 1_000);
    expect(first.sharesSecond).toBe(false);
    [first, ...rows].forEach((row, n, all) => {
      if (n > 0) expect(row.sharesSecond).toBe(second(row) === second(all[n - 1] as typeof row));
    });
  });

  it("moves once in a transaction, for a whole and all its parts", async () => {
    const { id: goodId } = await createGood(gateway, company.id);
    const { id: tagId } = await gateway.db.goodTag.create({ data: { companyId: company.id, name: "New" } });
    const categories = await Promise.all(
      ["A", "B"].map((name) => gateway.db.category.create({ data: { companyId: company.id, name } })),
    );

    await gateway.db.$transaction(async (db) => {
      await db.good.update({ where: key(goodId), data: { name: "Changed" } });
      for (const { id } of categories)
        await db.goodCategory.create({ data: { companyId: company.id, goodId, categoryId: id } });
      await db.goodTagGood.create({ data: { companyId: company.id, goodId, goodTagId: tagId } });
    });
    await gateway.db.goodTagGood.deleteMany({ where: { companyId: company.id, goodId } });

    const tag = await gateway.db.goodTag.findUniqueOrThrow({ where: key(tagId) });
    expect([(await good(goodId)).version, tag.version]).toEqual([3, 3]);
  });

  it("moves with parts of every kind, though another change came before and this one has written the whole without one", async () => {
    await fillCompany(gateway.db, company.id, 2);
    const parts = Object.values(MODEL_FACTS).flatMap((part) => part.wholes.map((whole) => ({ part, whole })));

    const moved = [];
    for (const { part, whole } of parts) {
      const own = whole.model === "Company" ? '"id" = $1' : '"company_id" = $1';
      const [row] = await gateway.db.$queryRawUnsafe<{ id: number }[]>(
        `SELECT w."id" FROM "${whole.table}" AS w WHERE ${own.replace('"', 'w."')}
            AND EXISTS (SELECT FROM "${part.table}" AS p WHERE p."company_id" = $1 AND p."${whole.column}" = w."id") LIMIT 1`,
        company.id,
      );
      const changed = whole.by ?? (part.fields.includes("version") ? "version" : whole.column);
      const value = whole.by === null ? (changed === "version" ? '"version" + 1' : `"${changed}"`) : "now()";
      const versions = () =>
        gateway.db.$queryRawUnsafe<{ version: number }[]>(
          `SELECT "version" FROM "${whole.table}" WHERE ${own} AND "id" = $2`,
          company.id,
          row?.id,
        );
      const touch = (db: Pick<typeof gateway.db, "$executeRawUnsafe">, set: string) =>
        db.$executeRawUnsafe(
          `UPDATE "${whole.table}" SET ${set} WHERE ${own} AND "id" = $2`,
          company.id,
          row?.id,
        );
      const [before] = await versions();
      await gateway.db.$transaction(async (inside) => {
        await inside.$executeRaw`SELECT act_as('')::text`;
        await touch(gateway.db, '"version" = "version" + 1');
        await touch(inside, '"updated_at" = now()');
        for (let times = 0; times < 2; times += 1)
          await inside.$executeRawUnsafe(
            `UPDATE "${part.table}" SET "${changed}" = ${value} WHERE "company_id" = $1 AND "${whole.column}" = $2`,
            company.id,
            row?.id,
          );
      });
      const [after] = await versions();
      moved.push([whole.model, whole.field, (after?.version ?? NaN) - (before?.version ?? NaN)]);
    }

    expect(moved).toEqual(parts.map(({ whole }) => [whole.model, whole.field, 2]));
    expect(moved.length).toBeGreaterThan(15);
  });

  it("stays 1 for a whole that is made with its parts", async () => {
    const category = await gateway.db.category.create({ data: { companyId: company.id, name: "A" } });

    // As operations do: a worker of a distributed database knows by this since when the transaction runs.
    const { id } = await gateway.db.$transaction(async (db) => {
      await db.$executeRaw`SELECT act_as('')::text`;
      const made = await db.good.create({
        data: { companyId: company.id, name: "Made", priceE2: 0n, shortDetails: "", details: "", type: 0 },
      });
      await db.goodCategory.create({
        data: { companyId: company.id, goodId: made.id, categoryId: category.id },
      });
      return made;
    });

    expect((await good(id)).version).toBe(1);
  });

  it("moves up through the parts of parts", async () => {
    const { id: goodId } = await createGood(gateway, company.id);
    const { id: branchId } = await gateway.db.branch.create({
      data: { companyId: company.id, name: "Here" },
    });
    const { id: propertyId } = await gateway.db.property.create({
      data: { companyId: company.id, name: "Size", type: 0x100 },
    });
    const property = await gateway.db.goodProperty.create({
      data: { companyId: company.id, goodId, propertyId, displayName: "Size" },
    });
    const there = await gateway.db.branchGood.create({ data: { companyId: company.id, branchId, goodId } });
    const before = (await good(goodId)).version;

    await gateway.db.branchGoodProperty.create({
      data: { companyId: company.id, branchGoodId: there.id, goodPropertyId: property.id, priceE2: 3n },
    });

    const branchGood = await gateway.db.branchGood.findUniqueOrThrow({ where: key(there.id) });
    expect([branchGood.version, (await good(goodId)).version]).toEqual([2, before + 1]);
  });
});
