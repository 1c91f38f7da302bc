import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { createOrders, runningCoupon, tally } from "./running-coupon.js";

const CONSUME = `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
  consumeCoupon(companyId: $companyId, input: $input) { id orderId code amountE2 createdAt } }`;
const HOLD = `mutation ($companyId: Int!, $input: HoldCouponInput!) {
  holdCoupon(companyId: $companyId, input: $input) { id } }`;

const ORDERS = 12;
const REPEATS = 12;

/** An order service that gets no answer in time sends the same use again, while the first one is under way. */
describe("a use that is sent many times at once", () => {
  let gateway: Gateway;
  let other: Gateway;
  let company: TestCompany;
  let doors: Client[];

  beforeAll(async () => {
    gateway = await startGateway();
    other = await startGateway({ on: gateway });
    company = await createCompany(gateway);
    doors = [company.owner, other.withToken(company.owner.token)];
  });
  afterAll(async () => {
    await other.close();
    await gateway.close();
  });

  it.each([
    ["the last use, which the order holds", "batch", {}],
    ["the only code, which the order holds", "personal", {}],
    ["the last use of a client, which the order holds", "batch", { limit: 1 }],
    ["what is left of the amount, which the order holds", "batch", { amountLimitE2: 1000 }],
  ] as const)("is the same use each time: %s", async (_name, type, config) => {
    const { id: clientId } = await signedInClient(gateway, company.id);
    const orders = await createOrders(gateway, company.id, ORDERS, clientId);

    for (const orderId of orders) {
      const { id, codes } = await runningCoupon(gateway, company.id, { type, totalCount: 1, config });
      const input = { code: codes[0], orderId };
      dataOf(await company.owner.run(HOLD, { companyId: company.id, input }));

      const answers = await Promise.all(
        Array.from({ length: REPEATS }, (_, n) =>
          (doors[n % 2] as Client).run(CONSUME, { companyId: company.id, input }),
        ),
      );

      expect(answers.flatMap(errorCodes)).toEqual([]);
      expect(new Set(answers.map(({ data }) => JSON.stringify(data?.["consumeCoupon"]))).size).toBe(1);
      const { counters, rows } = await tally(gateway, company.id, id);
      expect([counters, rows]).toEqual([ONE_USE, ONE_USE]);
    }
  });
});

const ONE_USE = { spent: 1, given: 1000, held: 0, reserved: 0 };
