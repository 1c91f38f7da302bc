import { createCompany, createGood, type TestCompany, unique } from "../support/factories.js";
import { saidBy, startGateway, type Gateway, wrongFields } from "../support/gateway.js";
import { newKey, runWithKey } from "./with-key.js";

const MOST_KEPT = 65_536;
const DETAILS = "d".repeat(800);

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const UPSERT = `mutation ($c: Int!, $rows: [UpsertGoodInput!]!, $isLong: Boolean!) {
  done: upsertGoods(companyId: $c, by: sku, rows: $rows) {
    index ok
    ... @include(if: $isLong) { written: good { details } }
    ...Rest
  }
}
fragment Rest on UpsertedGood { id created error { code field } written: good { ...Named } }
fragment Named on Good { id name branchGroup { id } }`;

const upsert = (key: string, rows: readonly object[]) =>
  runWithKey(gateway, company.owner, key, UPSERT, { c: company.id, rows, isLong: true });
const rowsNamed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    sku: `S${index}`,
    name: index === 7 ? "x".repeat(81) : `Good ${index}`,
    details: DETAILS,
    priceE2: 100,
  }));
const versions = async () => {
  const goods = await gateway.db.good.findMany({ where: { companyId: company.id } });
  return goods.map(({ version }) => Number(version));
};
const lengthKept = async (): Promise<number> => {
  const [row] = await gateway.db.$queryRaw<{ length: number }[]>`
    SELECT length(answer) AS length FROM idempotency_keys ORDER BY expires_at DESC LIMIT 1`;
  return row?.length ?? NaN;
};

describe("the answer of a bulk operation that is too large to be kept", () => {
  it("comes again over REST, with 200 rows that are read again, and nothing is done twice", async () => {
    const key = newKey();
    const body = rowsNamed(200).map(({ priceE2, ...row }) => ({ ...row, price_e2: priceE2 }));
    const send = () =>
      company.owner.rest("PATCH", `/companies/${company.id}/goods?by=sku&mode=each`, {
        body,
        headers: { "idempotency-key": key },
      });

    const first = await send();
    const kept = await lengthKept();
    const again = await send();

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(JSON.stringify(first.body).length).toBeGreaterThan(MOST_KEPT);
    expect(kept).toBeLessThan(MOST_KEPT);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.body[7]).toMatchObject({ index: 7, ok: false, good: null, error: { field: "name" } });
    expect(await versions()).toEqual(Array.from({ length: 199 }, () => 1));
  });

  it("comes again by GraphQL, its rows under the names and in the fragments that ask for them", async () => {
    const [key, rows] = [newKey(), rowsNamed(150)];

    const first = await upsert(key, rows);
    const again = await upsert(key, rows);

    expect(first.body.data.done[0]).toEqual({
      index: 0,
      ok: true,
      written: { details: DETAILS, id: expect.any(Number), name: "Good 0", branchGroup: null },
      id: expect.any(Number),
      created: true,
      error: null,
    });
    expect(first.body.data.done[7]).toMatchObject({
      index: 7,
      ok: false,
      written: null,
      error: { field: "name" },
    });
    expect(saidBy(again.body)).toEqual(saidBy(first.body));
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  it("has the rows as they are by then, and none for those that are gone", async () => {
    const [key, rows] = [newKey(), rowsNamed(150)];
    const first = await upsert(key, rows);
    const where = { companyId: company.id };
    await gateway.db.good.updateMany({ where: { ...where, sku: "S1" }, data: { name: "Later" } });
    await gateway.db.good.updateMany({ where: { ...where, sku: "S2" }, data: { deletedAt: new Date() } });

    const again = await upsert(key, rows);

    const told = first.body.data.done as { written: object | null }[];
    expect(again.body.errors).toBeUndefined();
    expect(again.body.data.done).toEqual(
      told.map((one, index) => {
        if (index === 1) return { ...one, written: { ...one.written, name: "Later" } };
        return index === 2 ? { ...one, written: null } : one;
      }),
    );
  });

  it("comes again of a change that goes for all rows, beside that of a single row", async () => {
    const ids: number[] = [];
    for (let made = 0; made < 100; made += 1)
      ids.push((await createGood(gateway, company.id, { details: DETAILS })).id);
    const query = `mutation ($c: Int!, $ids: [Int!]!, $id: Int!) {
      updateGoods(companyId: $c, ids: $ids, input: { priceE2: 7 }) { id ok good { id priceE2 details } }
      updateGood(companyId: $c, id: $id, input: { name: "One" }) { id name }
    }`;
    const [key, variables] = [newKey(), { c: company.id, ids: [...ids].reverse(), id: ids[0] }];

    const first = await runWithKey(gateway, company.owner, key, query, variables);
    const again = await runWithKey(gateway, company.owner, key, query, variables);

    expect(first.body.data.updateGoods).toEqual(
      [...ids].reverse().map((id) => ({ id, ok: true, good: { id, priceE2: 7, details: DETAILS } })),
    );
    expect(saidBy(again.body)).toEqual(saidBy(first.body));
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  it("is refused when its rows have no id, and nothing takes effect", async () => {
    const query = UPSERT.replace("Good { id name", "Good { name");
    const variables = { c: company.id, rows: rowsNamed(150), isLong: true };

    const { body } = await runWithKey(gateway, company.owner, newKey(), query, variables);

    expect(body.data).toBeNull();
    expect(wrongFields(body.errors[0].extensions.errors)).toEqual(["Idempotency-Key:max_length"]);
    expect(await versions()).toEqual([]);
  });
});

it("reads the persons of a bulk answer again once somebody has been erased", async () => {
  const data = { companyId: company.id, name: unique() };
  const gone = await gateway.db.client.create({ data });
  const other = await gateway.db.client.create({ data });
  const [key, name] = [newKey(), unique()];
  const query = `mutation ($c: Int!, $rows: [UpsertClientInput!]!) {
    upsertClients(companyId: $c, by: id, rows: $rows) { index id ok client { id name } }
  }`;
  const rows = [gone, other].map(({ id }, index) => ({ id, name: `${name} ${index}` }));
  const send = () => runWithKey(gateway, company.owner, key, query, { c: company.id, rows });
  const first = await send();
  const erased = await company.owner.run(
    `mutation ($c: Int!, $id: Int!) { eraseClient(companyId: $c, clientId: $id) { id } }`,
    { c: company.id, id: gone.id },
  );

  const again = await send();

  expect(erased.errors).toBeUndefined();
  expect(first.body.data.upsertClients[0].client.name).toBe(`${name} 0`);
  expect(again.body.data.upsertClients).toEqual([
    { index: 0, id: gone.id, ok: true, client: null },
    { index: 1, id: other.id, ok: true, client: { id: other.id, name: `${name} 1` } },
  ]);
});
