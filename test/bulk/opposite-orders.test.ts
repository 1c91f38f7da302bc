import { newKey } from "../idempotency/with-key.js";
import { createBranch, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const ROWS = 60;
const CALLERS = [0, 1, 2, 3, 4, 5, 6, 7];
const priceOf = (caller: number): number => 1_000 + caller;

/** A good as it was made. */
interface Made {
  readonly id: number;
  readonly sku: string;
  readonly externalId: string;
}

let gateway: Gateway;
let company: TestCompany;
let branchId: number;
let goods: readonly Made[];
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  branchId = (await createBranch(gateway, company.id)).id;
  const made: Made[] = [];
  for (let place = 0; place < ROWS; place += 1) {
    // Neither the skus nor the external ids have the order of the ids.
    const names = { sku: `S-${(place * 7) % ROWS}`, externalId: `E-${(place * 11) % ROWS}` };
    made.push({ ...names, id: (await createGood(gateway, company.id, names)).id });
  }
  goods = made;
});
afterAll(() => gateway.close());

/** The goods as a caller sends them: half of the callers turn them round. */
const sentBy = (caller: number): readonly Made[] => (caller % 2 === 0 ? goods : [...goods].reverse());

const keyed = (keys: string): Record<string, string> =>
  keys === "with keys" ? { "idempotency-key": newKey() } : {};

interface Answer {
  readonly status: number;
  readonly results: readonly { readonly id: number; readonly ok: boolean }[];
}

/** Gives the goods the caller's price over REST. */
async function patch(caller: number, by: "id" | "sku" | "external_id", keys: string): Promise<Answer> {
  const body = sentBy(caller).map(({ id, sku, externalId }) => ({
    ...{ id: { id }, sku: { sku }, external_id: { external_id: externalId } }[by],
    price_e2: priceOf(caller),
  }));
  const path = `/companies/${company.id}/goods?by=${by}&mode=all`;
  const answer = await company.owner.rest("PATCH", path, { body, headers: keyed(keys) });
  return { status: answer.status, results: answer.body };
}

const UPSERT_BRANCH_GOODS = `mutation ($companyId: Int!, $rows: [UpsertBranchGoodInput!]!, $mode: BulkMode!) {
  results: upsertBranchGoods(companyId: $companyId, by: id, rows: $rows, mode: $mode) { ok branchGood { id: goodId } }
}`;

/** Gives the goods the caller's price at the branch by GraphQL. */
async function putOnSale(caller: number, mode: "all" | "each", keys: string): Promise<Answer> {
  const rows = sentBy(caller).map(({ id }) => ({ branchId, goodId: id, priceE2: priceOf(caller) }));
  const answer = await company.owner.run(
    UPSERT_BRANCH_GOODS,
    { companyId: company.id, rows, mode },
    keyed(keys),
  );
  const results = (dataOf(answer)["results"] as { ok: boolean; branchGood: { id: number } }[]).map(
    ({ ok, branchGood }) => ({ ok, id: branchGood.id }),
  );
  return { status: 200, results };
}

/** Expects that each caller has done all of its rows, and is answered in its own order. */
function expectAllDone(answers: readonly Answer[]): void {
  expect(answers.map(({ status }) => status)).toEqual(CALLERS.map(() => 200));
  for (const [caller, { results }] of answers.entries())
    expect(results.map(({ id, ok }) => [id, ok])).toEqual(sentBy(caller).map(({ id }) => [id, true]));
}

/** Expects that all rows have the price of one and the same caller. */
function expectOneOf(prices: readonly (bigint | null)[]): void {
  expect(prices).toHaveLength(ROWS);
  expect(new Set(prices).size).toBe(1);
  expect(CALLERS.map(priceOf)).toContain(Number(prices[0]));
}

const goodPrices = async (): Promise<bigint[]> =>
  (await gateway.db.good.findMany({ where: { companyId: company.id } })).map(({ priceE2 }) => priceE2);
const branchPrices = async (): Promise<(bigint | null)[]> =>
  (await gateway.db.branchGood.findMany({ where: { companyId: company.id, branchId } })).map(
    ({ priceE2 }) => priceE2,
  );

describe("many who write the same rows in one, each in an order of its own,", () => {
  it.each(["without keys", "with keys"])("are all done over REST, %s, and a bystander is", async (keys) => {
    let hasEnded = 0;
    const answering = CALLERS.map((caller) =>
      patch(caller, "id", keys).finally(() => {
        hasEnded += 1;
      }),
    );
    const path = `/companies/${company.id}/goods/${goods[ROWS / 2]?.id}`;
    const bystander = company.owner
      .rest("PATCH", path, { body: { name: "Renamed" } })
      .then(({ status }) => ({ status, isBeforeTheLast: hasEnded < CALLERS.length }));
    const answers = await Promise.all(answering);

    expectAllDone(answers);
    expectOneOf(await goodPrices());
    expect(await bystander).toEqual({ status: 200, isBeforeTheLast: true });
  });

  it.each(["without keys", "with keys"])("are all done, whatever names their rows, %s", async (keys) => {
    const answers = await Promise.all(
      CALLERS.map((caller) =>
        patch(caller, (["id", "sku", "external_id"] as const)[caller % 3] ?? "id", keys),
      ),
    );

    expectAllDone(answers);
    expectOneOf(await goodPrices());
  });

  it.each([
    ["all", "without keys"],
    ["all", "with keys"],
    ["each", "with keys"],
  ] as const)("are all done by GraphQL, mode %s, %s", async (mode, keys) => {
    const answers = await Promise.all(CALLERS.map((caller) => putOnSale(caller, mode, keys)));

    expectAllDone(answers);
    expectOneOf(await branchPrices());
  });

  it("are all done where the rows are clients", async () => {
    const ids: number[] = [];
    for (let place = 0; place < ROWS; place += 1)
      ids.push((await gateway.db.client.create({ data: { companyId: company.id, name: "Ana" } })).id);
    const text = `mutation ($companyId: Int!, $rows: [UpsertClientInput!]!) {
      results: upsertClients(companyId: $companyId, by: id, rows: $rows, mode: all) { ok }
    }`;

    const answers = await Promise.all(
      CALLERS.map(async (caller) => {
        const named = caller % 2 === 0 ? ids : [...ids].reverse();
        const rows = named.map((id) => ({ id, name: `Caller ${caller}` }));
        return dataOf(await company.owner.run(text, { companyId: company.id, rows }))["results"] as object[];
      }),
    );

    const clients = await gateway.db.client.findMany({ where: { companyId: company.id } });
    expect(answers).toEqual(CALLERS.map(() => ids.map(() => ({ ok: true }))));
    expect(new Set(clients.map(({ name }) => name)).size).toBe(1);
  });

  it("are all done where one names parts, whose ids have another order than the wholes", async () => {
    const [own, other] = [branchId, (await createBranch(gateway, company.id)).id];
    const parts: number[] = [];
    for (const { id: goodId } of [...goods].reverse())
      parts.push(
        (await gateway.db.branchGood.create({ data: { companyId: company.id, branchId: other, goodId } })).id,
      );
    const text = `mutation ($companyId: Int!, $ids: [Int!]!) {
      results: deleteBranchGoods(companyId: $companyId, ids: $ids) { ok }
    }`;

    const [deleted, ...answers] = await Promise.all([
      company.owner.run(text, { companyId: company.id, ids: parts }, keyed("with keys")),
      ...CALLERS.map((caller) => putOnSale(caller, "all", "with keys")),
    ]);

    expect(dataOf(deleted)["results"]).toEqual(parts.map(() => ({ ok: true })));
    expectAllDone(answers);
    const left = await gateway.db.branchGood.findMany({ where: { companyId: company.id } });
    expect(new Set(left.map((row) => row.branchId))).toEqual(new Set([own]));
  });
});
