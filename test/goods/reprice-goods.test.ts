import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const REPRICE = `mutation ($companyId: Int!, $filter: GoodFilterInput, $input: RepriceGoodsInput!) {
  answer: repriceGoods(companyId: $companyId, filter: $filter, input: $input) { id status total done changed kept finishedAt }
}`;
const PREVIEW = `query ($companyId: Int!, $filter: GoodFilterInput, $input: RepriceGoodsInput!, $first: Int, $afterGoodId: Int) {
  answer: previewRepricing(companyId: $companyId, filter: $filter, input: $input, first: $first, afterGoodId: $afterGoodId) {
    total nextAfterGoodId goods { goodId name beforeE2 afterE2 }
  }
}`;
const READ = `query ($companyId: Int!, $id: Int!, $jobId: String!) {
  answer: goodRepricing(companyId: $companyId, id: $id) { status total done changed kept }
  job(companyId: $companyId, id: $jobId) { state done total }
}`;

interface Change {
  readonly id: number;
}

let gateway: Gateway;
let company: TestCompany;
let companyId: number;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  company = await createCompany(gateway);
  companyId = company.id;
});
afterAll(() => gateway.close());

const make = (name: string, priceE2: number, others: object = {}) =>
  createGood(gateway, companyId, { name, priceE2, ...others });
const reprice = (input: object, filter: object | null = null, by = company.owner) =>
  by.run(REPRICE, { companyId, filter, input });
const read = async (id: number) =>
  dataOf(await company.owner.run(READ, { companyId, id, jobId: `repricing-${id}` }));
const prices = async () => {
  const goods = await gateway.db.good.findMany({ where: { companyId }, orderBy: { id: "asc" } });
  return goods.map(({ name, priceE2 }) => `${name} ${priceE2}`);
};

it("changes the prices of the goods that fit, exactly, and counts them", async () => {
  await make("Tea", 999);
  await make("Green tea", 1_001);
  await make("Coffee", 1_000);
  await make("Old tea", 1_000, { deletedAt: new Date() });

  const started = dataOf(await reprice({ percent: 5.5, roundTo: 5 }, { name: { contains: "tea" } }))
    .answer as Change;
  expect(started).toMatchObject({ status: "queued", total: 2, done: 0, changed: 0, finishedAt: null });
  expect((await read(started.id)).job).toEqual({ state: "running", done: 0, total: 2 });
  await make("Late tea", 1_000);
  await gateway.runJobs();

  expect(await prices()).toEqual([
    "Tea 1055",
    "Green tea 1055",
    "Coffee 1000",
    "Old tea 1000",
    "Late tea 1000",
  ]);
  expect(await read(started.id)).toEqual({
    answer: { status: "finished", total: 2, done: 2, changed: 2, kept: 0 },
    job: { state: "done", done: 2, total: 2 },
  });
});

it("keeps a price that would be below 0, and writes nothing where a price stays", async () => {
  await make("Tea", 300);
  await make("Pot", 200);
  const { id } = dataOf(await reprice({ amountE2: -250 })).answer as Change;
  await gateway.runJobs();

  expect(await prices()).toEqual(["Tea 50", "Pot 200"]);
  expect((await read(id)).answer).toMatchObject({ done: 2, changed: 1, kept: 1 });
  const versions = await gateway.db.good.findMany({ where: { companyId }, orderBy: { id: "asc" } });
  expect(versions.map(({ version }) => version)).toEqual([2, 1]);
});

it("does more goods than a batch has, each once, although changes of the same goods run beside", async () => {
  await gateway.db.good.createMany({
    data: Array.from({ length: 1_100 }, (_, n) => ({
      ...{ companyId, name: `Good ${n}`, shortDetails: "", details: "", type: 0 },
      priceE2: 1_000,
    })),
  });

  const all = await Promise.all([reprice({ amountE2: 7 }), reprice({ amountE2: 10 })]);
  await Promise.all([gateway.runJobs(), gateway.runJobs()]);

  const found = await gateway.db.good.groupBy({ by: ["priceE2"], where: { companyId }, _count: true });
  expect(found).toEqual([{ priceE2: 1_017n, _count: 1_100 }]);
  for (const result of all)
    expect((await read((dataOf(result).answer as Change).id)).answer).toMatchObject({
      ...{ status: "finished", done: 1_100, changed: 1_100 },
    });
});

it("is written to the audit trail for who asked for it", async () => {
  const { id: goodId } = await make("Tea", 1_000);
  await reprice({ percent: 10 });
  await gateway.runJobs();

  const entries = await gateway.db.auditEntry.findMany({
    where: { companyId, targetType: "good", targetId: goodId },
  });
  expect(entries).toMatchObject([
    {
      operation: "repriceGoods",
      adminId: company.ownerId,
      changes: { price_e2: [1_000, 1_100] },
    },
  ]);
  const journal = await gateway.db.journalEntry.findMany({
    where: { companyId, type: "Good", entityId: goodId, action: "updated" },
  });
  expect(journal).toMatchObject([{ fields: ["price_e2"], actorKind: null, actorId: null, requestId: null }]);
});

it("is shown before, page by page, and changes nothing", async () => {
  const tea = await make("Tea", 999);
  const pot = await make("Pot", 100);
  await make("Cup", 1_000);
  const ask = async (page: object) =>
    dataOf(await company.owner.run(PREVIEW, { companyId, input: { amountE2: -500, roundTo: 10 }, ...page }))
      .answer;

  expect(await ask({ first: 2 })).toEqual({
    total: 3,
    nextAfterGoodId: pot.id,
    goods: [
      { goodId: tea.id, name: "Tea", beforeE2: 999, afterE2: 500 },
      { goodId: pot.id, name: "Pot", beforeE2: 100, afterE2: null },
    ],
  });
  expect(await ask({ first: 2, afterGoodId: pot.id })).toMatchObject({
    ...{ total: 3, nextAfterGoodId: null },
    goods: [{ name: "Cup", beforeE2: 1_000, afterE2: 500 }],
  });
  expect(await prices()).toEqual(["Tea 999", "Pot 100", "Cup 1000"]);
});

it("refuses what is no change, too many at a time, and who may not edit goods", async () => {
  await make("Tea", 1_000);
  const wrong = async (input: object) => {
    const { errors } = await reprice(input);
    return wrongFields(
      errors?.flatMap(({ extensions }) => extensions["errors"] as { field: string; rule: string }[]),
    );
  };

  expect(await wrong({})).toEqual(["percent:required"]);
  expect(await wrong({ percent: 1, amountE2: 1 })).toEqual(["amountE2:forbidden"]);
  expect(await wrong({ percent: -101 })).toEqual(["percent:min"]);
  const reader = await adminWith(gateway, companyId, "access_goods");
  expect(errorCodes(await reprice({ percent: 1 }, null, reader))).toEqual(["FORBIDDEN"]);
  expect(await gateway.db.goodRepricing.count({ where: { companyId } })).toBe(0);
  const many = await Promise.all(Array.from({ length: 7 }, () => reprice({ percent: 1 })));
  expect(many.flatMap(errorCodes)).toEqual(["RATE_LIMITED", "RATE_LIMITED"]);
  expect(await prices()).toEqual(["Tea 1000"]);
});
