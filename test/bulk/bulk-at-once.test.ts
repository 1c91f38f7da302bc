import { holdProperty, newKey, runWithKey } from "../idempotency/with-key.js";
import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";

interface Result {
  id: number;
  ok: boolean;
  error: null | { code: string };
}

const DELETE = `mutation ($companyId: Int!, $ids: [Int!]!) {
  results: deleteGoods(companyId: $companyId, ids: $ids) { id ok error { code } }
}`;
const DELETE_PROPERTIES = DELETE.replace("deleteGoods", "deleteProperties");

let gateway: Gateway;
let acme: TestCompany;
let ids: number[];
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  acme = await createCompany(gateway);
  ids = [];
  for (let made = 0; made < 40; made += 1) ids.push((await createGood(gateway, acme.id)).id);
});
afterAll(() => gateway.close());

const remaining = () => gateway.db.good.count({ where: { companyId: acme.id, deletedAt: null } });

/** Returns the results of each answer for each id, so that it shows who did what. */
function winnersOf(answers: Result[][]): number[] {
  return ids.map((id) => answers.filter((results) => results.find((one) => one.id === id)?.ok).length);
}

it.each(["without keys", "with keys"])("does each row once for two callers at once, %s", async (keys) => {
  const variables = [ids, [...ids].reverse()].map((named) => ({ companyId: acme.id, ids: named }));

  const answers = await Promise.all(
    variables.map(async (values): Promise<Result[]> => {
      if (keys === "without keys") return dataOf(await acme.owner.run(DELETE, values))["results"];
      const { body } = await runWithKey(gateway, acme.owner, newKey(), DELETE, values);
      return dataOf(body)["results"];
    }),
  );

  expect(answers[1]?.map(({ id }) => id)).toEqual([...ids].reverse());
  expect(winnersOf(answers)).toEqual(ids.map(() => 1));
  expect(new Set(answers.flat().map(({ error }) => error?.code))).toEqual(new Set([undefined, "NOT_FOUND"]));
  expect(await remaining()).toBe(0);
});

it("answers the same for the same key, and does nothing again", async () => {
  const key = newKey();
  const variables = { companyId: acme.id, ids: [...ids, 2_000_000_000] };

  const first = await runWithKey(gateway, acme.owner, key, DELETE, variables);
  await gateway.db.good.updateMany({ where: { companyId: acme.id }, data: { deletedAt: null } });
  const again = await runWithKey(gateway, acme.owner, key, DELETE, variables);

  expect(dataOf(first.body)["results"]).toHaveLength(ids.length + 1);
  expect(again.body.data).toEqual(first.body.data);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.body.data.results.at(-1)).toEqual({
    id: 2_000_000_000,
    ok: false,
    error: { code: "NOT_FOUND" },
  });
  expect(await remaining()).toBe(ids.length);
});

it("keeps what was done when another mutation of the document is refused, unless a key came with it", async () => {
  const text = `mutation ($companyId: Int!, $ids: [Int!]!) {
    results: deleteGoods(companyId: $companyId, ids: $ids) { ok }
    deleteGood(companyId: $companyId, id: 2000000000) { id }
  }`;
  const variables = { companyId: acme.id, ids };

  const keyed = await runWithKey(gateway, acme.owner, newKey(), text, variables);
  const left = await remaining();
  const plain = await acme.owner.run(text, variables);

  expect([errorCodes(keyed.body), left]).toEqual([["NOT_FOUND"], ids.length]);
  expect([errorCodes(plain), await remaining()]).toEqual([["NOT_FOUND"], 0]);
});

it.each([
  ["a fault of the database leaves what was done before", null, 1],
  ["a fault of the database undoes all of it under a key", newKey(), 2],
])("%s", async (_, key, left) => {
  const first = await createProperty(gateway, acme.id);
  const locked = await createProperty(gateway, acme.id);
  const variables = { companyId: acme.id, ids: [locked.id, first.id] };
  const holder = await holdProperty(gateway, acme.id, locked.id);
  const answering =
    key === null
      ? acme.owner.run(DELETE_PROPERTIES, variables)
      : runWithKey(gateway, acme.owner, key, DELETE_PROPERTIES, variables).then(({ body }) => body);
  await holder.terminate(await holder.waiting());

  const codes = errorCodes(await answering);
  await holder.release();

  expect(codes).toEqual(["UNAVAILABLE"]);
  expect(await gateway.db.property.count({ where: { companyId: acme.id } })).toBe(left);
});
