import pg from "pg";
import { createCompany, signedInClient, type TestCompany } from "../../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../../support/gateway.js";
import { runningCoupon } from "../running-coupon.js";

const STATS = /* GraphQL */ `
  query ($companyId: Int!) {
    couponStats(companyId: $companyId, groupBy: [coupon]) {
      couponId
      uses
      newClients
    }
  }
`;

describe("the first use of a client", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let sessions: pg.Client[];
  let clientId: number;
  let couponIds: number[];
  beforeAll(async () => {
    gateway = await startGateway();
    sessions = [1, 2, 3].map(() => new pg.Client({ connectionString: gateway.ownerUrl }));
    await Promise.all(sessions.map((session) => session.connect()));
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    ({ id: clientId } = await signedInClient(gateway, company.id));
    couponIds = [];
    for (let n = 0; n < 3; n += 1) couponIds.push((await runningCoupon(gateway, company.id)).id);
    await Promise.all(sessions.map((session) => session.query("BEGIN")));
  });
  afterEach(() => Promise.all(sessions.map((session) => session.query("ROLLBACK"))));
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.end()));
    await gateway.close();
  });

  /** A session uses the coupon of its number, in its open transaction. */
  const use = (number: number) =>
    sessions[number]?.query(
      "INSERT INTO coupon_redemptions (company_id, coupon_id, client_id, amount_e2) VALUES ($1, $2, $3, 100)",
      [company.id, couponIds[number], clientId],
    );
  const end = (number: number, how: "COMMIT" | "ROLLBACK") => sessions[number]?.query(how);
  /** New clients by the coupons that were used. */
  const newClients = async () => {
    const { couponStats } = dataOf(await company.owner.run(STATS, { companyId: company.id }));
    return (couponStats as { couponId: number; newClients: number }[]).map((row) => [
      couponIds.indexOf(row.couponId),
      row.newClients,
    ]);
  };

  it.each([
    [0, 1],
    [1, 0],
  ])("is one of two that are written at once, whichever is done first", async (one, other) => {
    await use(0);
    await use(1);
    await end(one, "COMMIT");
    await end(other, "COMMIT");
    await use(2);
    await end(2, "COMMIT");

    expect(await newClients()).toEqual([
      [0, 1],
      [1, 0],
      [2, 0],
    ]);
  });

  it("is the other one when the one before is not kept", async () => {
    await use(0);
    await use(1);
    await use(2);
    await end(0, "ROLLBACK");
    await end(2, "COMMIT");
    await end(1, "COMMIT");

    expect(await newClients()).toEqual([
      [1, 1],
      [2, 0],
    ]);
  });

  it("is the first one that one statement writes", async () => {
    await sessions[0]?.query(
      `INSERT INTO coupon_redemptions (company_id, coupon_id, client_id, amount_e2)
       SELECT $1, id, $3, 100 FROM unnest($2::int[]) AS id`,
      [company.id, couponIds, clientId],
    );
    await end(0, "COMMIT");

    expect(await newClients()).toEqual([
      [0, 1],
      [1, 0],
      [2, 0],
    ]);
  });
});
