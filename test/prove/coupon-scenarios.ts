import { runningCoupon, tally } from "../coupons/running-coupon.js";
import type { Answer, Door } from "./door.js";
import type { Counted, Scenario, Trial } from "./scenario.js";
import { createClients, createCompany, createOrders, tokenOfClient, type World } from "./world.js";

const mutation = (name: string, type: string, field = "id"): string =>
  `mutation ($companyId: Int!, $input: ${type}!) { ${name}(companyId: $companyId, input: $input) { ${field} } }`;
const CONSUME = mutation("consumeCoupon", "ConsumeCouponInput");
const HOLD = mutation("holdCoupon", "HoldCouponInput");
const RELEASE = mutation("releaseCoupon", "ReleaseCouponInput");
const CONSUME_ALL = mutation("consumeCoupons", "ConsumeCouponsInput", "totalDiscountE2");
const RETURN = mutation("returnCoupon", "ReturnCouponInput");
const REDEEM = mutation("redeemCoupon", "RedeemCouponInput", "balanceE2");

const PLENTY = 1_000_000;
const PRICE_E2 = 1000;

type Terms = NonNullable<Parameters<typeof runningCoupon>[2]>;

/** Tries to use one batch coupon for many orders; the coupon's terms set the limit. */
const batch = (name: string, refusal: string, terms: (limit: number) => Terms): Scenario => ({
  name,
  refusals: [refusal],
  prepare: async (world, limit) => {
    const companyId = await createCompany(world);
    const [clientId = null] = await createClients(world, companyId, 1);
    const orders = await createOrders(world, companyId, world.attempts, clientId);
    const { id, codes } = await runningCoupon(world, companyId, { priceE2: PRICE_E2, ...terms(limit) });
    return {
      attempt: async (door, number) => [
        await door.run(world.platform, CONSUME, {
          companyId,
          input: { code: codes[0], orderId: orders[number] },
        }),
      ],
      count: () => uses(world, companyId, id),
    };
  },
});

/** Creates a coupon that allows very many uses but has only so many codes. */
async function couponWithCodes(world: World, companyId: number, type: string, limit: number) {
  const coupon = await runningCoupon(world, companyId, { type, totalCount: limit, priceE2: PRICE_E2 });
  await world.db.coupon.update({
    where: { companyId_id: { companyId, id: coupon.id } },
    data: { totalCount: PLENTY },
  });
  return coupon;
}

const personalCodes: Scenario = {
  name: "personal codes",
  refusals: ["COUPON_CODE_USED"],
  prepare: async (world, limit) => {
    const companyId = await createCompany(world);
    const orders = await createOrders(world, companyId, world.attempts);
    const { id, codes } = await couponWithCodes(world, companyId, "personal", limit);
    return {
      attempt: async (door, number) => [
        await door.run(world.platform, CONSUME, {
          companyId,
          input: { code: codes[number % limit], orderId: orders[number] },
        }),
      ],
      count: () => uses(world, companyId, id),
    };
  },
};

const giftCards: Scenario = {
  name: "gift cards",
  refusals: ["COUPON_CODE_USED"],
  prepare: async (world, limit) => {
    const companyId = await createCompany(world);
    const clients = await createClients(world, companyId, 8);
    const tokens = await Promise.all(clients.map((id) => tokenOfClient(world, companyId, id)));
    const { id, codes } = await couponWithCodes(world, companyId, "gift_card", limit);
    return {
      attempt: async (door, number) => [
        await door.run(tokens[(number * 7) % tokens.length] as string, REDEEM, {
          companyId,
          input: { couponCode: codes[number % limit], redeem: true },
        }),
      ],
      count: async () => ({
        ...(await uses(world, companyId, id)),
        facts: { "balances are what was redeemed": (await balances(world, companyId)) === limit * PRICE_E2 },
      }),
    };
  },
};

/**
 * Holds a use for every order and then uses the coupon. Every third order first releases its hold and tries to hold
 * again.
 */
const holds: Scenario = {
  name: "holds",
  refusals: ["COUPON_EXHAUSTED"],
  prepare: async (world, limit): Promise<Trial> => {
    const companyId = await createCompany(world);
    const orders = await createOrders(world, companyId, world.attempts);
    const { id, codes } = await runningCoupon(world, companyId, { totalCount: limit, priceE2: PRICE_E2 });
    return {
      attempt: async (door, number) => {
        const input = { code: codes[0], orderId: orders[number] };
        const documents = number % 3 === 0 ? [HOLD, RELEASE, HOLD, CONSUME] : [HOLD, CONSUME];
        return inTurn(documents, (document) => door.run(world.platform, document, { companyId, input }));
      },
      count: async () => {
        const { counters } = await tally(world, companyId, id);
        return {
          ...(await uses(world, companyId, id)),
          facts: { "nothing stays held": counters.held === 0 && counters.reserved === 0 },
        };
      },
    };
  },
};

/** Takes three coupons for every order, all or none; one of them has uses for `limit` orders alone. */
const baskets: Scenario = {
  name: "baskets",
  refusals: ["COUPON_EXHAUSTED"],
  prepare: async (world, limit) => {
    const companyId = await createCompany(world);
    const orders = await createOrders(world, companyId, world.attempts);
    const coupon = (totalCount: number) => runningCoupon(world, companyId, { totalCount, priceE2: PRICE_E2 });
    const coupons = [await coupon(PLENTY), await coupon(limit), await coupon(PLENTY)];
    const codes = coupons.map((one) => one.codes[0]);
    return {
      attempt: async (door, number) => [
        await door.run(world.platform, CONSUME_ALL, {
          companyId,
          input: { codes: number % 2 === 0 ? codes : [...codes].reverse(), orderId: orders[number] },
        }),
      ],
      count: async () => {
        const [one, limited, other] = await Promise.all(coupons.map(({ id }) => uses(world, companyId, id)));
        const taken = await world.db.couponRedemption.groupBy({
          by: ["orderId"],
          where: { companyId },
          _count: true,
        });
        return {
          ...(limited as Counted),
          facts: {
            ...limited?.facts,
            "each order took all or none": taken.every(({ _count }) => _count === coupons.length),
            "the others count alike": [one, other].every(
              (count) => count?.counter === taken.length && count.rows === taken.length,
            ),
          },
        };
      },
    };
  },
};

/** Uses a personal code or a batch coupon for every order, gives it back, and uses it again. */
const returns = (name: string, type: "batch" | "personal"): Scenario => ({
  name,
  refusals: ["COUPON_EXHAUSTED", "COUPON_CODE_USED"],
  prepare: async (world, limit) => {
    const companyId = await createCompany(world);
    const orders = await createOrders(world, companyId, world.attempts);
    const { id, codes } = await runningCoupon(world, companyId, {
      ...{ type, totalCount: limit, priceE2: PRICE_E2 },
      config: { amountLimitE2: limit * PRICE_E2 },
    });
    return {
      attempt: async (door, number) => {
        const input = { code: codes[number % codes.length], orderId: orders[number] };
        return inTurn([CONSUME, RETURN, CONSUME], (document) =>
          door.run(world.platform, document, { companyId, input }),
        );
      },
      count: async () => {
        const counted = await uses(world, companyId, id);
        const used = await world.db.couponCode.count({
          where: { companyId, couponId: id, usedAt: { not: null } },
        });
        return {
          ...counted,
          facts: {
            ...counted.facts,
            "codes are used as often as kept": type === "batch" || used === counted.rows,
          },
        };
      },
    };
  },
});

export const COUPON_SCENARIOS: readonly Scenario[] = [
  batch("total", "COUPON_EXHAUSTED", (limit) => ({ totalCount: limit })),
  batch("per client", "COUPON_LIMIT", (limit) => ({ totalCount: PLENTY, config: { limit } })),
  batch("amount", "COUPON_AMOUNT_LIMIT", (limit) => ({
    totalCount: PLENTY,
    config: { amountLimitE2: limit * PRICE_E2 + PRICE_E2 - 1 },
  })),
  personalCodes,
  giftCards,
  holds,
  baskets,
  returns("returns", "batch"),
  returns("returns of codes", "personal"),
];

/** Runs the documents one after another until one is refused. */
async function inTurn(
  documents: readonly string[],
  send: (document: string) => ReturnType<Door["run"]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const document of documents) {
    const answer = await send(document);
    answers.push(answer);
    if (answer.codes.length > 0) break;
  }
  return answers;
}

async function uses(world: World, companyId: number, couponId: number): Promise<Counted> {
  const { counters, rows } = await tally(world, companyId, couponId);
  return {
    counter: counters.spent,
    rows: rows.spent,
    facts: { "amounts add up": counters.given === rows.given && counters.given === rows.spent * PRICE_E2 },
  };
}

async function balances({ pool }: World, companyId: number): Promise<number> {
  const { rows } = await pool.query<{ total: string }>(
    `SELECT sum(h.balance_e2) AS total FROM balance_holders h
      WHERE h.company_id = $1 AND h.balance_e2 = (
        SELECT sum(m.amount_e2) FROM balance_movements m
         WHERE m.company_id = h.company_id AND m.holder_type = h.type AND m.holder_key = h.key)
        AND h.movement_count = (
        SELECT count(*) FROM balance_movements m
         WHERE m.company_id = h.company_id AND m.holder_type = h.type AND m.holder_key = h.key)`,
    [companyId],
  );
  return Number(rows[0]?.total);
}
