import type { Pool } from "pg";
import type { PrismaClient } from "../../../src/generated/prisma/client.js";
import type { Random } from "../../../src/demo/random.js";
import { companyRow } from "../../support/company-row.js";
import { runningCoupon } from "../../coupons/running-coupon.js";
import type { Choice, Order, Step, Terms, Units } from "./model.js";

/** A company with coupons of every kind that bounds uses, and clients. */
export interface World {
  readonly companyId: number;
  readonly clients: readonly number[];
  readonly coupons: readonly Terms[];
  readonly goods: readonly number[];
  /** The segments of its coupons, by the ids of these. */
  readonly segments: ReadonlyMap<number, Segments>;
}

/** The segments of a coupon, as its config names them. */
interface Segments {
  readonly segmentIds?: number[];
  readonly excludedSegmentIds?: number[];
}

const CLIENTS = 3;
/** From then on a hold would expire by itself, long after the proof. */
const TTL_SECONDS = 86_400;

const PLAIN: Omit<Terms, "id" | "codes"> = {
  type: "batch",
  totalCount: 1_000_000,
  priceE2: 0,
  percent: 0,
  appliesTo: "subtotal",
  minPurchaseE2: 0,
  limit: null,
  amountLimitE2: null,
  maxDiscountE2: null,
  slot: null,
  usableInPromos: true,
  avoids: false,
  goods: null,
  bundle: null,
  clientAmountLimitE2: null,
  period: "life",
  clientsIn: null,
  clientsOut: [],
  campaign: null,
};
const GOODS = 4;
/** Of three units the third is free. */
const THREE_FOR_TWO = { buy: 2, get: 1, percent: 100, cheapest: true };

/** The budget of a campaign of some coupons. */
const CAMPAIGN = { id: 0, budgetE2: 1_100 };

/** The coupons of each world, with goods and clients by their place; bounds are so close that random steps run into them. */
const COUPONS: readonly Partial<Omit<Terms, "id" | "codes">>[] = [
  { priceE2: 170 },
  { percent: 7, maxDiscountE2: 400 },
  { priceE2: 90, totalCount: 3 },
  { percent: 10, limit: 2 },
  { percent: 33, appliesTo: "total", amountLimitE2: 3_000 },
  { priceE2: 250, slot: 1 },
  { percent: 12, slot: 1, limit: 1 },
  { percent: 100, appliesTo: "delivery" },
  { priceE2: 120, usableInPromos: false },
  { percent: 20, avoids: true },
  { type: "personal", priceE2: 200, totalCount: 4, slot: 1 },
  { type: "personal", percent: 25, totalCount: 3, limit: 1, amountLimitE2: 1_500 },
  { type: "promo", percent: 5 },
  { type: "promo", priceE2: 110, totalCount: 3, slot: 2 },
  { type: "promo", percent: 9, slot: 2, amountLimitE2: 900 },
  { type: "promo", priceE2: 60, minPurchaseE2: 2_000, limit: 1, avoids: true },
  { percent: 40, goods: { include: [0, 1], exclude: [] } },
  { percent: 30, appliesTo: "total", goods: { include: [], exclude: [2] }, clientAmountLimitE2: 700 },
  { priceE2: 130, goods: { include: [1, 2, 3], exclude: [3] }, limit: 1, period: "month" },
  { priceE2: 75, limit: 2, period: "day" },
  { type: "promo", percent: 6, limit: 1, period: "week" },
  { bundle: THREE_FOR_TWO },
  { bundle: { buy: 1, get: 1, percent: 50, cheapest: false }, goods: { include: [0, 3], exclude: [] } },
  { percent: 100, appliesTo: "delivery", goods: { include: [3], exclude: [] } },
  { type: "promo", percent: 11, goods: { include: [2], exclude: [] }, slot: 2 },
  { type: "promo", bundle: { ...THREE_FOR_TWO, buy: 3 }, clientAmountLimitE2: 500 },
  { percent: 15, clientsIn: [0, 1] },
  { type: "promo", priceE2: 70, clientsIn: [1], clientsOut: [0] },
  { priceE2: 140, clientsOut: [2], campaign: CAMPAIGN },
  { percent: 18, campaign: CAMPAIGN },
  { type: "promo", percent: 8, campaign: CAMPAIGN },
];

export async function createWorld(db: PrismaClient): Promise<World> {
  const { id: companyId } = await db.company.create({
    data: {
      ...companyRow(`discounts-${process.pid}-${(worlds += 1)}`),
      timeZoneOffset: zoneOfEarlyDay(),
      settings: { create: { data: {} } },
    },
  });
  const clients = await db.client.createManyAndReturn({
    data: Array.from({ length: CLIENTS }, (_, n) => ({ companyId, name: `Client ${n}` })),
  });
  const goods = await db.good.createManyAndReturn({
    data: Array.from({ length: GOODS }, (_, n) => ({
      ...{ companyId, name: `Good ${n}`, shortDetails: "", details: "", priceE2: 100 * (n + 1), type: 0 },
    })),
  });
  const idsOf = (places: readonly number[]) => places.map((place) => goods[place]?.id as number);
  const clientsOf = (places: readonly number[]) => places.map((place) => clients[place]?.id as number);
  const segmentOf = async (clientIds: readonly number[]): Promise<number> => {
    const { id } = await db.clientSegment.create({
      data: { companyId, name: "Segment", listedCount: clientIds.length },
    });
    await db.clientSegmentMember.createMany({
      data: clientIds.map((clientId) => ({ companyId, segmentId: id, clientId })),
    });
    return id;
  };
  const { id: campaignId } = await db.campaign.create({
    data: { companyId, name: "Campaign", budgetE2: CAMPAIGN.budgetE2 },
  });
  const coupons: Terms[] = [];
  const segments = new Map<number, Segments>();
  for (const overrides of COUPONS) {
    const named = { ...PLAIN, ...overrides };
    const terms = {
      ...named,
      clientsIn: named.clientsIn && clientsOf(named.clientsIn),
      clientsOut: clientsOf(named.clientsOut),
      goods: named.goods && {
        include: idsOf(named.goods.include),
        exclude: idsOf(named.goods.exclude),
      },
    };
    const { type, totalCount, priceE2, percent, appliesTo, minPurchaseE2, period } = terms;
    const ofTerms = {
      ...(terms.clientsIn !== null && { segmentIds: [await segmentOf(terms.clientsIn)] }),
      ...(terms.clientsOut.length > 0 && { excludedSegmentIds: [await segmentOf(terms.clientsOut)] }),
    };
    const { id, codes } = await runningCoupon({ db }, companyId, {
      ...{ type, totalCount, priceE2, appliesTo, minPurchaseE2 },
      ...(terms.campaign !== null && { campaignId }),
      pricePrc: String(percent / 100),
      config: configOf(terms, ofTerms),
    });
    coupons.push({ ...terms, id, codes });
    segments.set(id, ofTerms);
    if (period !== "life")
      await useBefore(db, { companyId, couponId: id, clients: clients.map((one) => one.id) });
  }
  return {
    ...{ companyId, clients: clients.map(({ id }) => id), coupons, segments },
    goods: goods.map(({ id }) => id),
  };
}
let worlds = 0;

/** The config of a coupon of these terms. */
function configOf(terms: Omit<Terms, "id" | "codes">, segments: Segments) {
  const { limit, amountLimitE2, maxDiscountE2, slot: collisionSlot, usableInPromos } = terms;
  const { avoids: avoidSameTargetPromos, clientAmountLimitE2, goods, bundle, period } = terms;
  return {
    ...{ limit, amountLimitE2, maxDiscountE2, collisionSlot, usableInPromos, avoidSameTargetPromos },
    ...{ clientAmountLimitE2, ...segments },
    ...(goods !== null && {
      goods: { include: { goodIds: [...goods.include] }, exclude: { goodIds: [...goods.exclude] } },
    }),
    ...(bundle !== null && {
      bundle: { buy: bundle.buy, get: bundle.get, cheapest: bundle.cheapest, pricePrc: bundle.percent / 100 },
    }),
    ...(period !== "life" && { limitPeriod: period }),
  };
}

/** A zone in which the day has just begun: the periods of limits do not end before the proof does. */
function zoneOfEarlyDay(): string {
  const hour = new Date().getUTCHours();
  const [sign, hours] = hour <= 12 ? ["-", hour] : ["+", 24 - hour];
  return `${sign}${String(hours).padStart(2, "0")}:00`;
}

/** Uses of each client in an earlier month, which count in the coupon's total alone. */
async function useBefore(
  db: PrismaClient,
  { companyId, couponId, clients }: { companyId: number; couponId: number; clients: readonly number[] },
): Promise<void> {
  const createdAt = new Date(Date.now() - 40 * 86_400_000);
  await db.couponRedemption.createMany({
    data: clients.map((clientId) => ({ companyId, couponId, clientId, amountE2: 1, createdAt })),
  });
  await db.coupon.update({
    where: { companyId_id: { companyId, id: couponId } },
    data: { spentCount: clients.length, spentAmountE2: clients.length },
  });
}

export async function createOrder(
  pool: Pool,
  { companyId, clients, goods }: World,
  random: Random,
): Promise<Order> {
  const clientId = random.chance(0.9) ? random.pick(clients) : null;
  const lines = random.chance(0.7)
    ? random.sample(goods, random.int(1, goods.length)).map((goodId) => {
        const quantity = random.int(1, 5);
        return { goodId, quantity, priceE2: random.int(quantity * 20, 1_200) };
      })
    : [];
  const ofLines = lines.reduce((sum, { priceE2 }) => sum + priceE2, 0);
  const subtotalE2 = lines.length > 0 && random.chance(0.8) ? ofLines : random.int(300, 3_000);
  const deliveryE2 = random.chance(0.5) ? random.int(50, 400) : 0;
  const currency = random.chance(0.9) ? "USD" : "EUR";
  const { rows } = await pool.query<{ id: number }>(
    `WITH made AS (
       INSERT INTO orders (company_id, client_id, subtotal_e2, delivery_e2, total_e2, currency_iso, updated_at)
       VALUES ($1, $2, $3::bigint, $4::bigint, $3::bigint + $4::bigint, $5, now()) RETURNING id
     ), lines AS (
       INSERT INTO order_items (company_id, order_id, good_id, quantity, total_price_e2)
       SELECT $1, made.id, l.good_id, l.quantity, l.price_e2
         FROM made, unnest($6::int[], $7::int[], $8::bigint[]) WITH ORDINALITY AS l (good_id, quantity, price_e2, place)
        ORDER BY l.place
     ) SELECT id FROM made`,
    [
      ...[companyId, clientId, subtotalE2, deliveryE2, currency, lines.map(({ goodId }) => goodId)],
      ...[lines.map(({ quantity }) => quantity), lines.map(({ priceE2 }) => priceE2)],
    ],
  );
  const { id } = rows[0] as { id: number };
  return {
    ...{ id, clientId, currency, subtotalE2, deliveryE2, lines, isCanceled: false },
    ...{ uses: new Map(), holds: new Map(), returned: [], wishes: [] },
  };
}

/** A step on one of the orders with some of the coupons. */
export function randomStep(random: Random, orders: readonly Order[], coupons: readonly Terms[]): Step {
  const order = random.pick(orders);
  const orderId = order.id;
  const dice = random.next();
  if (dice < 0.04) return { kind: "cancel", orderId };
  if (dice < 0.08) return { kind: "resize", orderId, subtotalE2: random.int(300, 3_000) };
  if (dice < 0.12) {
    const { subtotalE2 } = order;
    const [one] = random.sample(
      coupons.filter(({ type }) => type !== "promo"),
      1,
    );
    const choices = one === undefined || random.chance(0.6) ? [] : [choiceOf(random, one)];
    if (one === undefined || random.chance(0.3))
      return { kind: "promos", orderId, subtotalE2, choices, withPromos: true };
    return { kind: "check", orderId, subtotalE2, ...choiceOf(random, one) };
  }
  if (dice < 0.42) {
    const some = random.sample(
      coupons.filter(({ type }) => type !== "promo"),
      random.int(0, 3),
    );
    const choices = some.map((coupon) => choiceOf(random, coupon));
    const withPromos = choices.length === 0 || random.chance(0.4);
    return { kind: dice < 0.16 ? "show" : "consumeAll", orderId, choices, withPromos };
  }
  if (dice > 0.92) return { kind: "returnItems", orderId, items: randomUnits(random, order) };
  const kind = dice < 0.6 ? "consume" : dice < 0.75 ? "hold" : dice < 0.83 ? "release" : "return";
  // What is given back was mostly taken before.
  const taken = [...(kind === "release" ? order.holds : order.uses).values()];
  const isBack = (kind === "release" || kind === "return") && taken.length > 0 && random.chance(0.8);
  return { kind, orderId, ...(isBack ? pairOf(random.pick(taken)) : choiceOf(random, random.pick(coupons))) };
}

/** Some units of the lines of an order; now and then more than there are. */
function randomUnits(random: Random, { lines }: Order): readonly Units[] {
  if (lines.length === 0) return [{ goodId: 1, quantity: 1 }];
  return random.sample(lines, random.int(1, lines.length)).map(({ goodId, quantity }) => ({
    goodId,
    quantity: random.int(1, random.chance(0.1) ? quantity + 1 : Math.max(1, Math.ceil(quantity / 2))),
  }));
}

function choiceOf(random: Random, coupon: Terms): Choice {
  return { coupon, code: coupon.type === "promo" ? null : random.pick(coupon.codes) };
}

function pairOf({ coupon, code }: Choice): Choice {
  return { coupon, code };
}

const mutation = (name: string, fields: string): string =>
  `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
    answer: ${name}(companyId: $companyId, input: $input) { ${fields} } }`;
const ONE = "id couponId amountE2";
const DOCUMENTS = {
  consume: mutation("consumeCoupon", ONE),
  hold: mutation("holdCoupon", ONE),
  release: mutation("releaseCoupon", ONE),
  return: mutation("returnCoupon", ONE),
  returnItems: mutation("returnCouponItems", `uses { ${ONE} }`),
  consumeAll: mutation("consumeCoupons", `totalDiscountE2 uses { ${ONE} }`),
  show: `query ($companyId: Int!, $input: DiscountsInput!) {
    answer: discounts(companyId: $companyId, input: $input) { totalDiscountE2 applied { coupon { id } discountE2 } } }`,
  check: mutation("checkCoupon", "coupon { id } discountE2"),
  promos: `query ($companyId: Int!, $input: ApplicablePromosInput!) {
    answer: applicablePromos(companyId: $companyId, input: $input) { coupon { id } discountE2 } }`,
  update: `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
    answer: updateOrder(companyId: $companyId, id: $id, input: $input) { id } }`,
};

/** The request for the sums of the uses that each coupon had since a moment. */
export function requestOfSums({ companyId }: World, from: string): { document: string; variables: object } {
  return {
    document: `query ($companyId: Int!, $from: DateTime) {
      answer: couponStats(companyId: $companyId, groupBy: [coupon], from: $from) { couponId uses returned discountE2 } }`,
    variables: { companyId, from },
  };
}

/** The request for what a coupon of these terms would have given since a moment. */
export function requestOfSimulation(
  { companyId, segments }: World,
  terms: Terms,
  from: string,
): { document: string; variables: object } {
  const { type, totalCount, priceE2, percent, appliesTo, minPurchaseE2 } = terms;
  return {
    document: `query ($companyId: Int!, $input: CreateCouponInput!, $from: DateTime) {
      answer: simulateCoupon(companyId: $companyId, input: $input, from: $from) { uses discountE2 subtotalE2 refusedAttempts } }`,
    variables: {
      ...{ companyId, from },
      input: {
        ...{ type, totalCount, priceE2, appliesTo, minPurchaseE2, pricePrc: percent / 100 },
        ...(type === "batch" && { promoCode: "DRAFT" }),
        config: configOf(terms, segments.get(terms.id) ?? {}),
      },
    },
  };
}

/** The request of a step. */
export function requestOf({ companyId }: World, step: Step): { document: string; variables: object } {
  const { orderId } = step;
  switch (step.kind) {
    case "cancel":
      return request("update", { companyId, id: orderId, input: { status: "canceled" } });
    case "resize":
      return request("update", { companyId, id: orderId, input: { subtotalE2: step.subtotalE2 } });
    case "returnItems":
      return request("returnItems", { companyId, input: { orderId, items: step.items } });
    case "check": {
      const { subtotalE2, code } = step;
      return request("check", { companyId, input: { orderId, subtotalE2, couponCode: code } });
    }
    case "promos": {
      const couponCode = step.choices[0]?.code;
      return request("promos", { companyId, input: { orderId, subtotalE2: step.subtotalE2, couponCode } });
    }
    case "consumeAll":
    case "show": {
      const { choices, withPromos } = step;
      return request(step.kind, {
        companyId,
        input: { orderId, codes: choices.map(({ code }) => code), withPromos },
      });
    }
    default: {
      const named = step.code === null ? { couponId: step.coupon.id } : { code: step.code };
      const ttl = step.kind === "hold" ? { ttlSeconds: TTL_SECONDS } : {};
      return request(step.kind, { companyId, input: { orderId, ...named, ...ttl } });
    }
  }
}

function request(name: keyof typeof DOCUMENTS, variables: object) {
  return { document: DOCUMENTS[name], variables };
}

/** A step in few words, for whoever reads a fault. */
export function spell(step: Step): string {
  const name = ({ coupon, code }: Choice): string =>
    code === null ? `${coupon.id}` : `${coupon.id}/${code}`;
  const what =
    step.kind === "cancel"
      ? ""
      : step.kind === "resize"
        ? ` to ${step.subtotalE2}`
        : step.kind === "returnItems"
          ? ` ${step.items.map(({ goodId, quantity }) => `${quantity} of ${goodId}`).join(", ")}`
          : "choices" in step
            ? ` ${step.choices.map(name).join(" ")}${step.withPromos ? " with promos" : ""}`
            : ` ${name(step)}`;
  return `${step.kind} ${step.orderId}${what}`;
}
