import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { runningCoupon } from "./running-coupon.js";

const DISCOUNTS = `query ($companyId: Int!, $input: DiscountsInput!) {
  discounts(companyId: $companyId, input: $input) { applied { coupon { id } } refused { coupon { id } reason detail } } }`;
const HOUR = 3_600_000;

describe("the moment at which coupons are judged", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const ago = (hours: number) => new Date(Date.now() - hours * HOUR);
  const discounts = async (input: object) =>
    dataOf(
      await company.owner.run(DISCOUNTS, { companyId: company.id, input: { subtotalE2: 5000, ...input } }),
    )["discounts"];
  const coupon = (terms: Parameters<typeof runningCoupon>[2]) => runningCoupon(gateway, company.id, terms);

  it("is not before a coupon began, although it runs by now", async () => {
    const code = await coupon({ startsAt: ago(2) });
    const promo = await coupon({ type: "promo", startsAt: ago(2) });
    const at = (hours: number) => ({
      codes: code.codes,
      withPromos: true,
      datetime: ago(hours).toISOString(),
    });

    const before = await discounts(at(3));
    const since = await discounts(at(1));

    expect(before.applied).toEqual([]);
    expect(before.refused).toMatchObject([{ coupon: { id: code.id }, reason: "COUPON_NOT_RUNNING" }]);
    expect(since.applied).toMatchObject([{ coupon: { id: code.id } }, { coupon: { id: promo.id } }]);
  });

  it("is answered of a promo that is paused, which applied before", async () => {
    const promo = await coupon({ type: "promo", startsAt: ago(5), pausedAt: ago(1) });

    const now = await discounts({ withPromos: true });
    const before = await discounts({ withPromos: true, datetime: ago(2).toISOString() });

    expect(now.applied).toEqual([]);
    expect(now.refused).toMatchObject([{ coupon: { id: promo.id }, reason: "COUPON_NOT_RUNNING" }]);
    expect(now.refused[0].detail).toContain("was paused");
    expect(before.applied).toMatchObject([{ coupon: { id: promo.id } }]);
  });

  it("belongs to the evening on which the hours of a fee rule began", async () => {
    const feeRules = [{ name: "evening", hourBeg: "20:00", hourEnd: "02:00" }];
    const { codes, id } = await coupon({ config: { days: [5], feeRules } });
    const reasonAt = async (day: string, time: string) => {
      const { applied, refused } = await discounts({ codes, datetime: `${day}T12:00:00Z`, time });
      return applied[0]?.coupon.id === id ? null : refused[0].reason;
    };

    expect(await reasonAt("2027-01-01", "21:00")).toBeNull();
    expect(await reasonAt("2027-01-02", "01:00")).toBeNull();
    expect(await reasonAt("2027-01-01", "01:00")).toBe("COUPON_OUTSIDE_DAYS");
    expect(await reasonAt("2027-01-02", "21:00")).toBe("COUPON_OUTSIDE_DAYS");
    expect(await reasonAt("2027-01-01", "12:00")).toBe("COUPON_OUTSIDE_HOURS");
  });
});
