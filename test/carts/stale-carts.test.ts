import { createBranchGroup, createGood, signedInClient } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { goShopping, type Shopping } from "./carts.js";

const CARTS = /* GraphQL */ `
  query ($c: Int!, $first: Int!) {
    carts(companyId: $c, first: $first, orderBy: { field: ID, direction: ASC }) {
      nodes {
        id
        items {
          snapshot {
            totalPriceE2
            promoId
          }
        }
      }
    }
  }
`;

let gateway: Gateway;
let shopping: Shopping;
let companyId: number;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  shopping = await goShopping(gateway, { good: { priceE2: 400 } });
  companyId = shopping.company.id;
});
afterAll(() => gateway.close());

const promo = (values: Record<string, unknown>) =>
  gateway.db.coupon.create({
    data: {
      ...{ companyId, name: "Promo", type: "promo", status: "running", totalCount: 1000 },
      ...{ startsAt: new Date("2025-01-01"), ...values },
    },
  });

/** Another cart with two rows of each good, which was priced before promos. */
async function fill(owner: { clientId: number | null; branchId: number | null }, goodIds: readonly number[]) {
  const { id: cartId } = await gateway.db.cart.create({ data: { companyId, ...owner } });
  for (const goodId of goodIds)
    for (const quantity of [1, 2])
      await gateway.db.cartItem.create({
        data: {
          ...{ companyId, cartId, goodId, quantity, stockTaken: quantity },
          snapshot: {
            ...{
              name: "Good",
              basePriceE2: 400,
              originalTotalE2: 400 * quantity,
              totalPriceE2: 400 * quantity,
            },
            ...{ promoId: null, properties: [] },
          },
        },
      });
  return cartId;
}

/** What all rows of the first carts cost, and the promos that they name; and the statements that were sent for it. */
async function read(first: number) {
  gateway.statements.length = 0;
  const { carts } = dataOf(await shopping.company.owner.run(CARTS, { c: companyId, first }));
  const nodes = carts.nodes as {
    id: number;
    items: { snapshot: { totalPriceE2: number; promoId: number | null } }[];
  }[];
  return {
    statements: gateway.statements.filter((sql) =>
      /\b(?:carts|cart_items|coupons|goods|clients)\b/u.test(sql),
    ).length,
    carts: nodes.map(({ id, items }) => [
      id,
      items.map(({ snapshot }) => snapshot.totalPriceE2),
      [...new Set(items.map(({ snapshot }) => snapshot.promoId))],
    ]),
  };
}

it("are priced anew by as many statements for a page of them as for one, each by its own client, branch and goods", async () => {
  const { branchId, shopId, goodId, clientId: member } = shopping;
  const { id: otherShop } = await createBranchGroup(gateway, companyId);
  const { id: sale } = await createGood(gateway, companyId, { branchGroupId: shopId, priceE2: 400 });
  const { id: stray } = await createGood(gateway, companyId, { branchGroupId: otherShop, priceE2: 400 });
  const { id: stranger } = await signedInClient(gateway, companyId);
  const segment = (values: object) =>
    gateway.db.clientSegment.create({ data: { companyId, name: "Segment", ...values } });
  const listed = await segment({});
  await gateway.db.clientSegmentMember.create({
    data: { companyId, segmentId: listed.id, clientId: member },
  });
  const filtered = await segment({ filter: { id: { eq: stranger } } });
  const forGoods = await promo({ pricePrc: "0.5000", config: { goods: { include: { goodIds: [sale] } } } });
  const forMembers = await promo({ priceE2: 100, config: { segmentIds: [listed.id], limit: 1 } });
  const forStrangers = await promo({ priceE2: 40, config: { segmentIds: [filtered.id] } });
  const { cartId: empty } = shopping;
  const ofMember = await fill({ clientId: member, branchId }, [goodId]);
  const ofStranger = await fill({ clientId: stranger, branchId }, [goodId]);
  const ofNobody = await fill({ clientId: null, branchId: null }, [goodId, sale]);
  const withStray = await fill({ clientId: member, branchId }, [goodId, stray]);

  const few = await read(2);
  for (let n = 0; n < 8; n += 1)
    await fill({ clientId: n % 2 === 0 ? member : stranger, branchId }, [goodId, sale]);
  await fill({ clientId: member, branchId }, [goodId, stray]);
  const all = await read(14);
  const some = await read(4);

  expect(few.carts).toEqual([
    [empty, [], []],
    [ofMember, [367, 733], [forMembers.id]],
  ]);
  expect(all.carts.slice(0, 5)).toEqual([
    ...few.carts,
    [ofStranger, [387, 773], [forStrangers.id]],
    [ofNobody, [400, 800, 200, 400], [null, forGoods.id]],
    [withStray, [367, 733, 400, 800], [forMembers.id, null]],
  ]);
  expect(all.carts).toHaveLength(14);
  expect(some.statements).toBe(few.statements);
  // Goods of another shop take another round, one for all carts.
  const withAStray = await read(5);
  expect(all.statements).toBe(withAStray.statements);
});
