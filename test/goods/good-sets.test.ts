import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";

const REPLACE = `mutation ($companyId: Int!, $goodTagId: Int!, $input: [Int!]!) {
  replaceGoodsOfTag(companyId: $companyId, goodTagId: $goodTagId, input: $input) { id tags { name } }
}`;
const ADD = `mutation ($companyId: Int!, $categoryId: Int!, $input: [Int!]!) {
  addGoodsToCategory(companyId: $companyId, categoryId: $categoryId, input: $input) { id categories { name } }
}`;

describe("goods of tags and categories", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let tag: number;
  let category: number;
  let [a, b, c] = [0, 0, 0];

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    for (const assign of [(id: number) => (a = id), (id: number) => (b = id), (id: number) => (c = id)]) {
      assign((await createGood(gateway, acme.id)).id);
    }
  });

  beforeEach(async () => {
    tag = (await gateway.db.goodTag.create({ data: { companyId: acme.id, name: "Hot" } })).id;
    category = (await gateway.db.category.create({ data: { companyId: acme.id, name: "Drinks" } })).id;
  });

  afterAll(() => gateway.close());

  it("become exactly those of a tag that are given", async () => {
    const first = await put([b, a]);
    const created = await gateway.db.goodTagGood.findMany({
      where: { companyId: acme.id, goodId: a, goodTagId: tag },
    });
    const second = await put([c, a]);

    expect([first.status, ids(first.body)]).toEqual([200, [b, a]]);
    expect([second.status, ids(second.body), await tagged()]).toEqual([200, [c, a], [a, c]]);
    expect(
      await gateway.db.goodTagGood.findMany({ where: { companyId: acme.id, goodId: a, goodTagId: tag } }),
    ).toEqual(created);
    expect((await put([c, a])).status).toBe(200);
    expect([(await put([])).body, await tagged()]).toEqual([[], []]);
  });

  it("join those of a category", async () => {
    const first = await post([a]);
    const second = await post([c, a]);

    expect([first.status, ids(first.body)]).toEqual([200, [a]]);
    expect([second.status, ids(second.body), await inCategory()]).toEqual([200, [c, a], [a, c]]);
    expect([(await post([])).body, await inCategory()]).toEqual([[], [a, c]]);
  });

  it("count once however often they are named", async () => {
    expect([ids((await put([a, b, a])).body), await tagged()]).toEqual([
      [a, b],
      [a, b],
    ]);
    expect([ids((await post([b, b])).body), await inCategory()]).toEqual([[b], [b]]);
  });

  it("are named one by one when they do not exist, and nothing changes", async () => {
    const globex = await createCompany(gateway);
    const theirs = (await createGood(gateway, globex.id)).id;
    const deleted = (await createGood(gateway, acme.id, { deletedAt: new Date() })).id;
    await put([b]);
    await post([b]);
    const wrong = [a, theirs, deleted, 2_000_000_000, 0, -1, "1", 1.5, null];
    const expected = [
      "[1]:exists",
      "[2]:exists",
      "[3]:exists",
      "[4]:exists",
      "[5]:exists",
      "[6]:type",
      "[7]:type",
      "[8]:type",
    ];

    for (const { status, body } of [await put(wrong), await post(wrong)]) {
      expect([status, wrongFields(body.errors)]).toEqual([422, expected]);
    }
    expect([await tagged(), await inCategory()]).toEqual([[b], [b]]);
  });

  it("are at most 1,000 at once", async () => {
    const { status, body } = await put(Array(1001).fill(a));

    expect([status, wrongFields(body.errors), await tagged()]).toEqual([422, ["body:max_items"], []]);
  });

  it("work through GraphQL", async () => {
    const replaced = await acme.owner.run(REPLACE, { companyId: acme.id, goodTagId: tag, input: [b, a] });
    const added = await acme.owner.run(ADD, { companyId: acme.id, categoryId: category, input: [c] });
    const unknown = await acme.owner.run(ADD, {
      companyId: acme.id,
      categoryId: category,
      input: [a, 2_000_000_000],
    });

    expect(ids(dataOf(replaced).replaceGoodsOfTag)).toEqual([b, a]);
    expect(dataOf(added).addGoodsToCategory).toMatchObject([
      { id: c, categories: expect.arrayContaining([{ name: "Drinks" }]) },
    ]);
    expect(wrongFields(unknown.errors?.[0]?.extensions["errors"])).toEqual(["[1]:exists"]);
    expect(await inCategory()).toEqual([c]);
  });

  it("are those of one of two changes of a tag at once, never a mix of both", async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => put(index % 2 === 0 ? [a, b] : [c])));

    expect([[a, b], [c]]).toContainEqual(await tagged());
  });

  it("take as many statements for 3 goods as for 1", async () => {
    const count = async (goodIds: number[]): Promise<number> => {
      gateway.statements.length = 0;
      await put(goodIds);
      await post(goodIds);
      return gateway.statements.length;
    };
    const forget = keepRemembered();
    await count([c]);
    const [three, one] = [await count([a, b, c]), await count([a])];
    forget();

    expect(three).toBe(one);
  });

  it("are refused to whoever may not edit goods, and of what does not exist", async () => {
    const globex = await createCompany(gateway);
    const reader = await adminWith(gateway, acme.id, "access_goods");
    await put([b]);

    for (const [caller, status] of [
      [gateway.anonymous, 401],
      [reader, 403],
      [globex.owner, 403],
    ] as const) {
      expect(
        (await caller.rest("PUT", `/companies/${acme.id}/good-tags/${tag}/goods`, { body: [a] })).status,
      ).toBe(status);
      expect(
        (await caller.rest("POST", `/companies/${acme.id}/categories/${category}/goods`, { body: [a] }))
          .status,
      ).toBe(status);
    }
    for (const body of [[a], [0]]) {
      expect(
        (await globex.owner.rest("PUT", `/companies/${globex.id}/good-tags/${tag}/goods`, { body })).status,
      ).toBe(404);
      expect(
        (await globex.owner.rest("POST", `/companies/${globex.id}/categories/${category}/goods`, { body }))
          .status,
      ).toBe(404);
    }
    expect([await tagged(), await inCategory()]).toEqual([[b], []]);
  });

  const put = (body: unknown[]) =>
    acme.owner.rest("PUT", `/companies/${acme.id}/good-tags/${tag}/goods`, { body });
  const post = (body: unknown[]) =>
    acme.owner.rest("POST", `/companies/${acme.id}/categories/${category}/goods`, { body });

  async function tagged(): Promise<number[]> {
    const rows = await gateway.db.goodTagGood.findMany({
      where: { companyId: acme.id, goodTagId: tag },
      orderBy: [{ goodId: "asc" }],
    });
    return rows.map(({ goodId }) => goodId);
  }

  async function inCategory(): Promise<number[]> {
    const rows = await gateway.db.goodCategory.findMany({
      where: { companyId: acme.id, categoryId: category },
      orderBy: [{ goodId: "asc" }],
    });
    return rows.map(({ goodId }) => goodId);
  }
});

const ids = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);
