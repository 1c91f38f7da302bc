import { getNamedType, type GraphQLObjectType } from "graphql";
import { createCoupon, inState } from "../coupons/coupon-rows.js";
import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
} from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";

interface Result {
  id: number;
  ok: boolean;
  error: null | Record<string, unknown>;
}

let gateway: Gateway;
let acme: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  acme = await createCompany(gateway);
});
afterAll(() => gateway.close());

const documentOf = (mutation: string): string => `mutation ($companyId: Int!, $ids: [Int!]!) {
  ${mutation}(companyId: $companyId, ids: $ids) { id ok error { code message field state allowedActions } }
}`;

const run = (caller: Client, mutation: string, ids: unknown, companyId = acme.id) =>
  caller.run(documentOf(mutation), { companyId, ids });

async function done(mutation: string, ids: readonly number[]): Promise<Result[]> {
  return dataOf(await run(acme.owner, mutation, ids))[mutation] as Result[];
}

const succeeded = (id: number): Result => ({ id, ok: true, error: null });
const codesOf = (results: Result[]) => results.map(({ error }) => error?.["code"] ?? null);

const deletedAt = async (ids: readonly number[]): Promise<(Date | null)[]> => {
  const rows = await gateway.db.good.findMany({ where: { companyId: acme.id, id: { in: [...ids] } } });
  return ids.map((id) => rows.find((row) => row.id === id)?.deletedAt ?? null);
};

async function createGoods(count: number, overrides = {}): Promise<number[]> {
  const goods = await Promise.all(
    Array.from({ length: count }, () => createGood(gateway, acme.id, overrides)),
  );
  return goods.map(({ id }) => id);
}

describe("rows of a bulk operation", () => {
  it("are done one by one, in the order in which they are named, each of them once", async () => {
    const [first, second] = (await createGoods(2)) as [number, number];

    const results = await done("deleteGoods", [second, first, second]);

    expect(results).toEqual([succeeded(second), succeeded(first)]);
    expect(await deletedAt([first, second])).toEqual([expect.any(Date), expect.any(Date)]);
    expect(await done("restoreGoods", [first, second])).toEqual([succeeded(first), succeeded(second)]);
    expect(await deletedAt([first, second])).toEqual([null, null]);
  });

  it("come with their results, so that the next condition needs no further read", async () => {
    const [first, gone] = (await createGoods(2)) as [number, number];
    await done("deleteGoods", [gone]);
    const update = `mutation ($companyId: Int!, $ids: [Int!]!, $input: UpdateGoodInput!) {
      updateGoods(companyId: $companyId, ids: $ids, input: $input) { id ok good { id priceE2 version } }
    }`;

    const result = await acme.owner.run(update, {
      companyId: acme.id,
      ids: [first, gone],
      input: { priceE2: 700 },
    });

    expect(dataOf(result)["updateGoods"]).toEqual([
      { id: first, ok: true, good: { id: first, priceE2: 700, version: 2 } },
      { id: gone, ok: false, good: null },
    ]);
  });

  it("come with the results of every bulk operation", () => {
    const mutations = Object.values(sharedSchema().schema.getMutationType()?.getFields() ?? {});
    const actions = mutations.filter(({ args }) => args.some(({ name }) => name === "ids"));
    const result = getNamedType(actions[0]?.type) as GraphQLObjectType;
    const rows = Object.values(result.getFields()).filter(
      ({ name }) => !["id", "ok", "error"].includes(name),
    );

    expect(actions.length).toBeGreaterThan(30);
    expect(new Set(actions.map(({ type }) => getNamedType(type)))).toEqual(new Set([result]));
    for (const { name } of actions) {
      const types = rows.map((row) => getNamedType(row.type).name.replace(/y$/u, ""));
      expect([name, types.filter((type) => name.includes(type))]).not.toEqual([name, []]);
    }
  });

  it("are refused one by one; the others stand", async () => {
    const [kept, gone] = (await createGoods(2)) as [number, number];
    await done("deleteGoods", [gone]);

    const results = await done("deleteGoods", [gone, kept, 2_000_000_000, -1]);

    expect(codesOf(results)).toEqual(["NOT_FOUND", null, "NOT_FOUND", "NOT_FOUND"]);
    expect(results[0]).toEqual({
      id: gone,
      ok: false,
      error: {
        code: "NOT_FOUND",
        message: "Good not found.",
        field: null,
        state: null,
        allowedActions: null,
      },
    });
    expect(await deletedAt([kept])).toEqual([expect.any(Date)]);
  });

  it("of another company are not found, and stay as they are", async () => {
    const globex = await createCompany(gateway);
    const foreign = await createGood(gateway, globex.id);
    const coupon = await createCoupon(gateway, globex.id);

    const results = [
      ...(await done("deleteGoods", [foreign.id])),
      ...(await done("deleteCoupons", [coupon.id])),
      ...(await done("setCouponsReady", [coupon.id])),
    ];

    expect(codesOf(results)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
    expect(await gateway.db.good.findFirst({ where: { companyId: globex.id } })).toEqual(foreign);
    expect(await gateway.db.coupon.findFirst({ where: { companyId: globex.id } })).toEqual(coupon);
  });

  it("that others refer to are refused and leave nothing behind", async () => {
    const { db } = gateway;
    const used = await db.goodType.create({ data: { companyId: acme.id, name: "Used" } });
    const free = await db.goodType.create({ data: { companyId: acme.id, name: "Free" } });
    await createGood(gateway, acme.id, { goodTypeId: used.id });

    const results = await done("deleteGoodTypes", [used.id, free.id]);

    expect(codesOf(results)).toEqual(["CONFLICT", null]);
    expect(await db.goodType.findMany({ where: { companyId: acme.id } })).toEqual([used]);
  });
});

it("refuses who may not as a whole, and changes nothing", async () => {
  const ids = await createGoods(2);
  const reader = await adminWith(gateway, acme.id, "access_goods");
  const globex = await createCompany(gateway);

  const codes = [
    errorCodes(await run(reader, "deleteGoods", ids)),
    errorCodes(await run(globex.owner, "deleteGoods", ids)),
    errorCodes(await run(gateway.anonymous, "deleteGoods", ids)),
  ];

  expect(codes).toEqual([["FORBIDDEN"], ["FORBIDDEN"], ["UNAUTHENTICATED"]]);
  expect(await deletedAt(ids)).toEqual([null, null]);
});

it("takes 200 ids and no more; none is done then", async () => {
  const [id] = (await createGoods(1)) as [number];
  const ids = [id, ...Array.from({ length: 200 }, (_, place) => 2_000_000_000 + place)];

  const refused = await run(acme.owner, "deleteGoods", ids);

  expect(errorCodes(refused)).toEqual(["VALIDATION_FAILED"]);
  expect(wrongFields(refused.errors?.[0]?.extensions["errors"])).toEqual(["ids:max_items"]);
  expect(await deletedAt([id])).toEqual([null]);
  expect(await done("deleteGoods", ids.slice(0, 200))).toHaveLength(200);
  expect(await done("deleteGoods", [])).toEqual([]);
});

it("costs ten for each id, wherever the ids stand", async () => {
  const query = (ids: string, variables = "") =>
    `mutation ${variables} { deleteGoods(companyId: ${acme.id}, ids: ${ids}) { id ok } }`;
  const cost = async (text: string, variables = {}) => {
    const result = await acme.owner.run(text, variables);
    return (result as unknown as { extensions: { cost: { requested: number } } }).extensions.cost.requested;
  };

  // Ten for the mutation; for each id ten, an object and its two fields.
  expect(await cost(query("[1, 2, 3, 4, 5]"))).toBe(10 + 5 * 11.2);
  expect(await cost(query("$ids", "($ids: [Int!]!)"), { ids: Array(100).fill(1) })).toBe(10 + 100 * 11.2);
  expect(await cost(query("$ids", "($ids: [Int!]! = [1, 2, 3, 4, 5])"))).toBe(10 + 5 * 11.2);
  expect(await cost(query("1"))).toBe(Math.ceil(10 + 11.2));
});

describe("coupons", () => {
  it("are set ready, finished, deleted and restored by their own rules", async () => {
    const pending = await createCoupon(gateway, acme.id);
    const running = await createCoupon(gateway, acme.id, inState("running"));

    const ready = await done("setCouponsReady", [pending.id, running.id]);
    const deleted = await done("deleteCoupons", [running.id]);
    const finished = await done("setCouponsFinished", [running.id]);
    const deletedThen = await done("deleteCoupons", [running.id]);
    const restored = await done("restoreCoupons", [running.id, pending.id]);

    expect(codesOf(ready)).toEqual([null, "INVALID_STATE"]);
    expect(ready[1]?.error).toMatchObject({
      state: "running",
      allowedActions: ["update_running", "set_finished", "pause", "add_codes", "upload_codes"],
    });
    expect(codesOf(deleted)).toEqual(["INVALID_STATE"]);
    expect([codesOf(finished), codesOf(deletedThen)]).toEqual([[null], [null]]);
    expect(codesOf(restored)).toEqual([null, "INVALID_STATE"]);
    expect(
      await gateway.db.coupon.findMany({
        where: { companyId: acme.id },
        select: { status: true, deletedAt: true },
        orderBy: { id: "asc" },
      }),
    ).toEqual([
      { status: "generating", deletedAt: null },
      { status: "finished", deletedAt: null },
    ]);
  });

  it("of which one's promo code is taken by now are not all lost", async () => {
    const deletion = { type: "batch", deletedAt: new Date() } as const;
    const taken = await createCoupon(gateway, acme.id, { ...deletion, promoCode: "SUMMER24" });
    await createCoupon(gateway, acme.id, { type: "batch", promoCode: "SUMMER24" });
    const free = await createCoupon(gateway, acme.id, { ...deletion, promoCode: "WINTER24" });

    const results = await done("restoreCoupons", [taken.id, free.id]);

    expect(codesOf(results)).toEqual(["CONFLICT", null]);
    expect(await gateway.db.couponCode.count({ where: { companyId: acme.id, couponId: free.id } })).toBe(1);
  });
});

describe("one input for many goods", () => {
  const UPDATE = `mutation ($companyId: Int!, $ids: [Int!]!, $input: UpdateGoodInput!) {
    updateGoods(companyId: $companyId, ids: $ids, input: $input) { id ok error { code } }
  }`;

  it("sets the price of those that are there", async () => {
    const [first, second] = (await createGoods(2)) as [number, number];
    const [gone] = (await createGoods(1, { deletedAt: new Date() })) as [number];

    const result = await acme.owner.run(UPDATE, {
      companyId: acme.id,
      ids: [first, gone, second],
      input: { priceE2: 777, isTypeDigital: true },
    });

    expect(dataOf(result)["updateGoods"]).toEqual([
      { id: first, ok: true, error: null },
      { id: gone, ok: false, error: { code: "NOT_FOUND" } },
      { id: second, ok: true, error: null },
    ]);
    const rows = await gateway.db.good.findMany({ where: { companyId: acme.id }, orderBy: { id: "asc" } });
    expect(rows.map(({ priceE2, type }) => [Number(priceE2), type])).toEqual([
      [777, 4],
      [777, 4],
      [1000, 0],
    ]);
  });

  it("is checked once, and refuses all of them when it is wrong", async () => {
    const ids = await createGoods(2);

    const result = await acme.owner.run(UPDATE, {
      companyId: acme.id,
      ids,
      input: { priceE2: -1, name: "" },
    });

    expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["name:min_length", "priceE2:min"]);
    const rows = await gateway.db.good.findMany({ where: { companyId: acme.id } });
    expect(rows.map(({ priceE2 }) => Number(priceE2))).toEqual([1000, 1000]);
  });
});
