import { MODEL_FACTS } from "../../src/generated/models.js";
import { createCompany, createGood } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

it("every row that a condition can be put on has changes that are a second apart", async () => {
  const models = [...sharedSchema().operations.values()].flatMap(({ changedRow }) => changedRow?.model ?? []);
  const wanted = [...new Set(models)].map((model) => MODEL_FACTS[model].table);

  const triggers = await gateway.db.$queryRaw<{ table: string }[]>`
    SELECT c.relname AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgfoid = 'advance_updated_at'::regproc AND t.tgname = c.relname || '_updated_at'`;

  expect(wanted).toEqual(expect.arrayContaining(["goods", "coupons", "orders"]));
  const guarded = new Set(triggers.map(({ table }) => table));
  expect(wanted.filter((table) => !guarded.has(table))).toEqual([]);
});

it("changes within one second and by a clock that is behind move the moment on", async () => {
  const { id: companyId } = await createCompany(gateway);
  const { id } = await createGood(gateway, companyId);
  const change = async (updatedAt: string) => {
    const data = { updatedAt: new Date(updatedAt) };
    const row = await gateway.db.good.update({ where: { companyId_id: { companyId, id } }, data });
    return row.updatedAt.toISOString();
  };
  await change("2090-01-01T10:00:00.100Z");

  const moments = [
    await change("2090-01-01T10:00:00.100Z"),
    await change("2090-01-01T10:00:01.900Z"),
    await change("2090-01-01T09:00:00.000Z"),
    await change("2090-01-01T10:00:04.500Z"),
  ];

  expect(moments).toEqual([
    "2090-01-01T10:00:01.000Z",
    "2090-01-01T10:00:02.000Z",
    "2090-01-01T10:00:03.000Z",
    "2090-01-01T10:00:04.500Z",
  ]);
});
