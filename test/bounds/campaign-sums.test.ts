import { createOrder, runningCoupon } from "../coupons/running-coupon.js";
import { dataOf, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { boundAdmin, createTwoShops, type TwoShops } from "./two-shops.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCampaignInput!) {
  createCampaign(companyId: $companyId, input: $input) { id } }`;
const CONSUME = `mutation ($companyId: Int!, $input: ConsumeCouponInput!) {
  consumeCoupon(companyId: $companyId, input: $input) { id } }`;
const CAMPAIGNS = `query ($companyId: Int!) { campaigns(companyId: $companyId) { totalCount nodes {
  id spentAmountE2 heldAmountE2 remainingAmountE2 couponIds coupons { id } } } }`;
const COUPON = `query ($companyId: Int!, $id: Int!) { coupon(companyId: $companyId, id: $id) {
  spentAmountE2 heldAmountE2 } }`;

describe("the sums of campaigns and coupons of the whole company, for who is bound to a shop", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let bound: Client;

  beforeAll(async () => {
    gateway = await startGateway();
    shops = await createTwoShops(gateway);
    const bounds = { branchGroupIds: [shops.own.id] };
    bound = await boundAdmin(gateway, shops.companyId, bounds, "access_coupons");
  });
  afterAll(() => gateway.close());

  it("are of all shops, and the coupons those that it reads", async () => {
    const { companyId, own, other, owner } = shops;
    const coupon = (more: Parameters<typeof runningCoupon>[2]) =>
      runningCoupon(gateway, companyId, { type: "batch", priceE2: 300, ...more });
    const mine = await coupon({ branchGroupId: own.id });
    const theirs = await coupon({ branchGroupId: other.id });
    const common = await coupon({});
    const couponIds = [mine, theirs, common].map(({ id }) => id);
    const made = await owner.run(CREATE, {
      companyId,
      input: { name: "All", budgetE2: 5000, couponIds },
    });
    const { id } = dataOf(made)["createCampaign"] as { id: number };
    for (const [code, branchId] of [
      [mine.promoCode, own.branchId],
      [theirs.promoCode, other.branchId],
      [common.promoCode, other.branchId],
    ] as const) {
      const order = await createOrder(gateway, companyId, { branchId });
      dataOf(await owner.run(CONSUME, { companyId, input: { code, orderId: order.id } }));
    }
    const { id: orderId } = await createOrder(gateway, companyId, { branchId: other.branchId });
    const hold = { companyId, couponId: common.id, orderId, amountE2: 300, expiresAt: new Date(0) };
    await gateway.db.couponHold.create({ data: hold });
    await gateway.db.coupon.updateMany({
      where: { companyId, id: common.id },
      data: { heldCount: 1, heldAmountE2: 300 },
    });

    const sums = { id, spentAmountE2: 900, heldAmountE2: 0, remainingAmountE2: 4100 };
    const campaignsOf = async (by: Client) => dataOf(await by.run(CAMPAIGNS, { companyId }))["campaigns"];
    const couponOf = async (by: Client) =>
      dataOf(await by.run(COUPON, { companyId, id: common.id }))["coupon"];
    const shown = (ids: readonly number[]) => ({
      totalCount: 1,
      nodes: [{ ...sums, couponIds: ids, coupons: ids.map((one) => ({ id: one })) }],
    });

    expect(await campaignsOf(owner)).toEqual(shown(couponIds));
    expect(await campaignsOf(bound)).toEqual(shown([mine.id, common.id]));
    for (const by of [owner, bound])
      expect(await couponOf(by)).toEqual({ spentAmountE2: 300, heldAmountE2: 0 });
  });
});
