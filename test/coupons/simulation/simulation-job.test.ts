import { adminWith, createCompany, type TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../../support/gateway.js";
import { WhatIf } from "./what-if.js";

const FIELDS =
  "id status message done total sums { day uses discountE2 subtotalE2 refusedAttempts couponId }";
const START = /* GraphQL */ `
  mutation ($companyId: Int!, $input: CreateCouponInput!, $groupBy: [CouponStatsKey!], $from: DateTime, $until: DateTime) {
    answer: startCouponSimulation(companyId: $companyId, input: $input, groupBy: $groupBy, from: $from, until: $until) { ${FIELDS} }
  }
`;
const READ = /* GraphQL */ `
  query ($companyId: Int!, $id: Int!, $jobId: String!) {
    answer: couponSimulation(companyId: $companyId, id: $id) { ${FIELDS} }
    job(companyId: $companyId, id: $jobId) { state done total }
  }
`;
const TIME = { from: "2026-07-01T00:00:00Z", until: "2026-11-01T00:00:00Z" };

describe("a simulation of many orders", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { settings: { currencyIso: "USD" } });
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  const start = (input: object, more: object = {}, by = company.owner) =>
    by.run(START, { companyId, input: { type: "promo", totalCount: 100_000, ...input }, ...TIME, ...more });
  const read = (id: number) => company.owner.run(READ, { companyId, id, jobId: `coupon-simulation-${id}` });

  it("is left to a job, whose answer can be read", async () => {
    await gateway.db.$executeRaw`
      INSERT INTO orders (company_id, subtotal_e2, total_e2, currency_iso, created_at, updated_at)
      SELECT ${companyId}::int, 1000, 1000, 'USD', '2026-08-01T00:00:00Z'::timestamptz + n * interval '10 seconds', now()
        FROM generate_series(0, 10000) AS n`;
    await gateway.asOwner("ANALYZE orders");
    const draft = { priceE2: 7, config: { amountLimitE2: 70_000 } };
    const { errors } = await new WhatIf(gateway, companyId, company.owner).ask({
      ...draft,
      totalCount: 100_000,
    });
    expect(
      wrongFields(
        errors?.flatMap(({ extensions }) => extensions["errors"] as { field: string; rule: string }[]),
      ),
    ).toEqual(["until:max"]);

    const started = dataOf(await start(draft, { groupBy: ["day"] })).answer as { id: number };
    expect(started).toMatchObject({ status: "queued", done: 0, total: 10_001, sums: null, message: null });
    expect(dataOf(await read(started.id))).toMatchObject({
      job: { state: "running", done: 0, total: 10_001 },
    });
    await gateway.runJobs();

    const day = (name: string, uses: number, refusedAttempts = 0) => ({
      ...{ day: name, uses, discountE2: 7 * uses, subtotalE2: 1_000 * uses, refusedAttempts, couponId: null },
    });
    expect(dataOf(await read(started.id))).toMatchObject({
      answer: {
        ...{ status: "finished", done: 10_001, message: null },
        sums: [day("2026-08-01", 8_640), day("2026-08-02", 1_360, 1)],
      },
      job: { state: "done", done: 10_001, total: 10_001 },
    });
  });

  it("fails for too many rows", async () => {
    await gateway.db.$executeRaw`
      WITH buyers AS (
        INSERT INTO clients (company_id, name, registered_at, updated_at)
        SELECT ${companyId}::int, 'Client ' || n, now(), now() FROM generate_series(0, 10000) AS n RETURNING id
      )
      INSERT INTO orders (company_id, client_id, subtotal_e2, total_e2, currency_iso, created_at, updated_at)
      SELECT ${companyId}::int, id, 1000, 1000, 'USD', '2026-08-01T00:00:00Z', now() FROM buyers`;
    await gateway.asOwner("ANALYZE clients, orders");

    const { id } = dataOf(await start({ priceE2: 7 }, { groupBy: ["client"] })).answer as { id: number };
    await gateway.runJobs();

    expect(dataOf(await read(id))).toMatchObject({
      answer: {
        status: "failed",
        message: "groupBy makes more than 10000 rows; choose a shorter time or a filter",
        sums: null,
      },
      job: { state: "failed" },
    });
  });

  it("waits among at most five of its company", async () => {
    for (let n = 0; n < 5; n += 1) dataOf(await start({ priceE2: 7 }));
    expect(errorCodes(await start({ priceE2: 7 }))).toEqual(["RATE_LIMITED"]);
    expect(await gateway.db.couponSimulation.count({ where: { companyId } })).toBe(5);
    await gateway.runJobs();

    const { id } = dataOf(await start({ priceE2: 7 })).answer as { id: number };
    const other = await createCompany(gateway);
    const seen = await other.owner.run(READ, { companyId: other.id, id, jobId: `coupon-simulation-${id}` });
    expect(errorCodes(seen)).toEqual(["NOT_FOUND", "NOT_FOUND"]);
    const stranger = await adminWith(gateway, companyId, "access_clients");
    expect(errorCodes(await start({ priceE2: 7 }, {}, stranger))).toEqual(["FORBIDDEN"]);
  });
});
