import { runningCoupon } from "../coupons/running-coupon.js";
import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { boundAdmin, createTwoShops, type TwoShops } from "./two-shops.js";

const ACTIONS = `query ($companyId: Int!) {
  coupons(companyId: $companyId) { nodes { id allowedActions } }
  companyEvents(companyId: $companyId) { nodes { allowedActions } } }`;
const PAUSE = `mutation ($companyId: Int!, $id: Int!) { pauseCoupon(companyId: $companyId, couponId: $id) { id } }`;

describe("the actions that who is bound to a shop is told", () => {
  let gateway: Gateway;
  let shops: TwoShops;

  beforeAll(async () => {
    gateway = await startGateway();
    shops = await createTwoShops(gateway);
  });
  afterAll(() => gateway.close());

  const RUNNING = ["update_running", "set_finished", "pause"];
  const roles = [
    "access_coupons",
    "can_edit_coupons",
    "access_company_events",
    "can_edit_company_events",
  ] as const;

  it("are none of what it only reads: what is of the whole company, or of the shop around its branch", async () => {
    const { companyId, own, owner } = shops;
    const { db } = gateway;
    await db.coupon.deleteMany({ where: { companyId } });
    const mine = await runningCoupon(gateway, companyId, { branchGroupId: own.id });
    const common = await runningCoupon(gateway, companyId);
    await db.companyEvent.create({ data: { companyId, name: "Draw" } });
    const ofShop = await boundAdmin(gateway, companyId, { branchGroupIds: [own.id] }, ...roles);
    const ofBranch = await boundAdmin(gateway, companyId, { branchIds: [own.branchId] }, ...roles);
    const told = async (by: Client) => {
      const { coupons, companyEvents } = dataOf(await by.run(ACTIONS, { companyId }));
      return [coupons.nodes, companyEvents.nodes[0].allowedActions.length > 0];
    };
    // The newest one is listed first.
    const actions = (ofMine: string[], ofCommon: string[]) => [
      { id: common.id, allowedActions: ofCommon },
      { id: mine.id, allowedActions: ofMine },
    ];
    const pause = (by: Client, id: number) => by.run(PAUSE, { companyId, id });

    expect(await told(owner)).toEqual([actions(RUNNING, RUNNING), true]);
    expect(await told(ofShop)).toEqual([actions(RUNNING, []), false]);
    expect(await told(ofBranch)).toEqual([actions([], []), false]);
    expect(errorCodes(await pause(ofShop, common.id))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await pause(ofBranch, mine.id))).toEqual(["FORBIDDEN"]);
    expect(dataOf(await pause(ofShop, mine.id))).toEqual({ pauseCoupon: { id: mine.id } });
  });
});
