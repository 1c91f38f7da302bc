/** The terms of a coupon, as far as the model knows any. Amounts are in hundredths. */
export interface Terms {
  readonly id: number;
  readonly type: "batch" | "personal" | "promo";
  /** The codes in capitals; a promo has none. */
  readonly codes: readonly string[];
  readonly totalCount: number;
  readonly priceE2: number;
  readonly percent: number;
  readonly appliesTo: "subtotal" | "total" | "delivery";
  readonly minPurchaseE2: number;
  readonly limit: number | null;
  readonly amountLimitE2: number | null;
  readonly maxDiscountE2: number | null;
  readonly slot: number | null;
  readonly usableInPromos: boolean;
  readonly avoids: boolean;
  /** Goods that it is for; null: all. */
  readonly goods: { readonly include: readonly number[]; readonly exclude: readonly number[] } | null;
  readonly bundle: {
    readonly buy: number;
    readonly get: number;
    readonly percent: number;
    readonly cheapest: boolean;
  } | null;
  /** What it may give each client. */
  readonly clientAmountLimitE2: number | null;
  /** Clients who are in its segments; null: all clients. */
  readonly clientsIn: readonly number[] | null;
  /** Clients who are in segments that it excludes. */
  readonly clientsOut: readonly number[];
  /** The campaign whose budget it shares, and that budget. */
  readonly campaign: { readonly id: number; readonly budgetE2: number } | null;
  /** The time for which its limit counts; unless it is its life, each client used it once before. */
  readonly period: "life" | "day" | "week" | "month";
}

/** A good of an order. */
export interface Line {
  readonly goodId: number;
  readonly quantity: number;
  readonly priceE2: number;
}

/** A coupon by one of its codes; a promo has none. */
export interface Choice {
  readonly coupon: Terms;
  readonly code: string | null;
}

/** What an order has used or holds of a coupon. */
export interface Taken extends Choice {
  readonly amountE2: number;
  /** What of it is for the delivery. */
  readonly deliveryE2: number;
  /** What of it is for each line. */
  readonly lines: readonly number[];
  /** How many units of each line were given back; absent: none. */
  readonly back?: readonly number[];
  /** Id of the use; 0 when it was made in this round, and of a hold. */
  readonly id: number;
}

export interface Order {
  readonly id: number;
  readonly clientId: number | null;
  readonly currency: string;
  readonly subtotalE2: number;
  readonly deliveryE2: number;
  readonly lines: readonly Line[];
  readonly isCanceled: boolean;
  /** By the id of the coupon. */
  readonly uses: ReadonlyMap<number, Taken>;
  readonly holds: ReadonlyMap<number, Taken>;
  /** Uses that were given back. */
  readonly returned: readonly Taken[];
  /** Baskets that were taken whole, and of which nothing was given back. */
  readonly wishes: readonly Wish[];
}

/** What a basket asks for: codes in the order of their letters, and whether it wants promos. */
export interface Wish {
  readonly codes: readonly (string | null)[];
  readonly withPromos: boolean;
}

export type Step =
  | ({ readonly kind: "consume" | "hold" | "release" | "return"; readonly orderId: number } & Choice)
  | {
      readonly kind: "consumeAll" | "show";
      readonly orderId: number;
      readonly choices: readonly Choice[];
      readonly withPromos: boolean;
    }
  | ({ readonly kind: "check"; readonly orderId: number; readonly subtotalE2: number } & Choice)
  | {
      readonly kind: "promos";
      readonly orderId: number;
      readonly subtotalE2: number;
      readonly choices: readonly Choice[];
      readonly withPromos: true;
    }
  | { readonly kind: "resize"; readonly orderId: number; readonly subtotalE2: number }
  | { readonly kind: "returnItems"; readonly orderId: number; readonly items: readonly Units[] }
  | { readonly kind: "cancel"; readonly orderId: number };

/** Units of a good. */
export interface Units {
  readonly goodId: number;
  readonly quantity: number;
}

/** What was taken, or given back; or the code of the refusal. */
export type Outcome = readonly Taken[] | string;

/** All orders that are not canceled for good, by their id, as one after the other has changed them. */
export type State = ReadonlyMap<number, Order>;

/** What the sums of a simulation are. */
export interface Simulated {
  readonly uses: number;
  readonly discountE2: number;
  readonly subtotalE2: number;
  readonly refusedAttempts: number;
}

/** A draft is younger than every coupon. */
const DRAFT_ID = 2_147_483_647;

interface Decision {
  readonly taken: readonly Taken[];
  readonly refused: readonly { readonly code: string | null; readonly reason: string }[];
}

/** A plain model of the discounts of orders: it counts everything anew from what each order has. */
export class Model {
  constructor(private readonly coupons: readonly Terms[]) {}

  /** What a step comes to when no other one is under way, and what it leaves. */
  after(state: State, step: Step): { readonly outcome: Outcome; readonly state: State } {
    const order = state.get(step.orderId);
    if (order === undefined) throw new Error(`order ${step.orderId} is unknown`);
    const refuse = (outcome: string) => ({ outcome, state });
    const change = (outcome: Outcome, changes: Partial<Order>) => ({
      outcome,
      state: new Map(state).set(order.id, { ...order, ...changes }),
    });
    switch (step.kind) {
      case "cancel":
        return change([], {
          isCanceled: true,
          uses: new Map(),
          holds: new Map(),
          returned: [...order.returned, ...order.uses.values()],
        });
      case "resize":
        return step.subtotalE2 + order.deliveryE2 < sumOf([...order.uses.values(), ...order.holds.values()])
          ? refuse("VALIDATION_FAILED")
          : change([], { subtotalE2: step.subtotalE2 });
      case "release": {
        const held = order.holds.get(step.coupon.id);
        if (held?.code !== step.code) return refuse("NOT_FOUND");
        return change([held], { holds: without(order.holds, held) });
      }
      case "return": {
        const use = order.uses.get(step.coupon.id);
        if (use?.code === step.code)
          return change([use], {
            uses: without(order.uses, use),
            returned: [...order.returned, use],
            wishes: [],
          });
        const before = order.returned.findLast((one) => isOf(one, step));
        return before === undefined ? refuse("NOT_FOUND") : change([before], {});
      }
      case "returnItems":
        return returnedItems(state, order, step.items);
      case "check": {
        if (step.subtotalE2 !== order.subtotalE2) return refuse("VALIDATION_FAILED");
        if (order.isCanceled) return refuse("INVALID_STATE");
        const use = order.uses.get(step.coupon.id);
        if (use !== undefined && isOf(use, step)) return change([use], {});
        const has = [...order.uses.values(), ...order.holds.values()];
        const one = this.takeBeside(state, order, { offer: step, has, isCheck: true });
        return typeof one === "string" ? refuse(one) : change([one], {});
      }
      case "promos": {
        if (step.subtotalE2 !== order.subtotalE2) return refuse("VALIDATION_FAILED");
        if (order.isCanceled) return refuse("INVALID_STATE");
        const { taken } = this.decide(state, order, this.offersOf(step));
        return change(
          taken.filter(({ coupon }) => coupon.type === "promo"),
          {},
        );
      }
      case "show": {
        if (order.isCanceled) return refuse("INVALID_STATE");
        return change(this.decide(state, order, this.offersOf(step)).taken, {});
      }
      case "consumeAll": {
        if (order.isCanceled) return refuse("INVALID_STATE");
        const wish = wishOf(step);
        const isSame = (other: Wish): boolean => JSON.stringify(other) === JSON.stringify(wish);
        const isRepeat = order.wishes.some(isSame);
        const offers = this.offersOf(step).filter(
          ({ coupon, code }) => !isRepeat || code !== null || order.uses.has(coupon.id),
        );
        const { taken: all, refused } = this.decide(state, order, offers);
        const wrong = refused.find(({ code }) => code !== null);
        if (wrong !== undefined) return refuse(wrong.reason);
        const taken = all.filter(({ amountE2, coupon }) => amountE2 > 0 || order.uses.has(coupon.id));
        const isNew = taken.some(({ coupon }) => !order.uses.has(coupon.id));
        return change(taken, {
          wishes: isNew ? [wish, ...order.wishes.filter((one) => !isSame(one))].slice(0, 8) : order.wishes,
          uses: taken.reduce((uses, one) => new Map(uses).set(one.coupon.id, one), order.uses),
          holds: taken.reduce((holds, one) => without(holds, one), order.holds),
        });
      }
      default:
        return this.takeOne(state, order, step);
    }
  }

  /** What a draft of a coupon would have given the orders, one after the other, each with a code of its own. */
  simulated(state: State, terms: Terms): Simulated {
    const coupon = { ...terms, id: DRAFT_ID, campaign: null };
    const given = { uses: 0, discountE2: 0, subtotalE2: 0, refusedAttempts: 0 };
    let now = state;
    for (const { id } of [...state.values()].sort((a, b) => a.id - b.id)) {
      const order = now.get(id) as Order;
      if (order.isCanceled) continue;
      const step = { kind: "consume", orderId: id, coupon, code: `DRAFT${id}` } as const;
      const { outcome, state: after } = this.takeOne(now, order, step);
      if (typeof outcome === "string") given.refusedAttempts += 1;
      const amountE2 = typeof outcome === "string" ? 0 : sumOf(outcome);
      // What gives nothing takes no use.
      if (amountE2 === 0) continue;
      given.uses += 1;
      given.discountE2 += amountE2;
      given.subtotalE2 += order.subtotalE2;
      now = after;
    }
    return given;
  }

  private takeOne(
    state: State,
    order: Order,
    step: Extract<Step, { kind: "consume" | "hold" | "release" | "return" }>,
  ) {
    const use = order.uses.get(step.coupon.id);
    if (use !== undefined && isOf(use, step))
      return { outcome: step.kind === "consume" ? [use] : "INVALID_STATE", state } as const;
    if (order.isCanceled) return { outcome: "INVALID_STATE", state } as const;
    const { taken, refused } = this.decide(state, order, [step], step.kind === "hold");
    const [one] = taken;
    if (one === undefined) return { outcome: (refused[0] as { reason: string }).reason, state } as const;
    const isRenewed = step.kind === "hold" && order.holds.get(step.coupon.id)?.code === step.code;
    // What gives nothing takes no use.
    if (one.amountE2 === 0 && !isRenewed) return { outcome: [one], state } as const;
    const changed: Order =
      step.kind === "hold"
        ? { ...order, holds: new Map(order.holds).set(one.coupon.id, one) }
        : {
            ...order,
            uses: new Map(order.uses).set(one.coupon.id, one),
            holds: without(order.holds, one),
          };
    return { outcome: [one], state: new Map(state).set(order.id, changed) } as const;
  }

  private offersOf({ choices, withPromos }: { choices: readonly Choice[]; withPromos: boolean }): Choice[] {
    const promos = this.coupons.filter(({ type }) => withPromos && type === "promo");
    return [...choices, ...promos.map((coupon) => ({ coupon, code: null }))];
  }

  /** Takes one offer after the other, the best first. */
  private decide(state: State, order: Order, offers: readonly Choice[], isRenewal = false): Decision {
    const used = offers.flatMap((offer) => {
      const use = order.uses.get(offer.coupon.id);
      return use !== undefined && isOf(use, offer) ? [use] : [];
    });
    const open = offers.filter((offer) => !used.some((use) => isOf(use, offer)));
    const inOrder = bestFirst(open, ({ coupon }) => discountOf(coupon, order));
    const isAlone = ({ coupon }: Choice, amountE2: number) =>
      coupon.type !== "promo" && !coupon.usableInPromos && amountE2 > 0;
    const inTurn = (some: readonly Choice[], before?: Decision): Decision => {
      const taken: Taken[] = [...(before?.taken ?? [])];
      const refused = [...(before?.refused ?? [])];
      for (const offer of some) {
        const has = [
          ...order.uses.values(),
          ...[...order.holds.values()].filter(
            ({ coupon }) => !taken.some((one) => one.coupon.id === coupon.id),
          ),
          ...taken,
        ];
        const one = this.takeBeside(state, order, { offer, has, isRenewal });
        if (typeof one === "string") refused.push({ code: offer.code, reason: one });
        else taken.push(one);
      }
      return { taken, refused };
    };
    const isPromo = ({ coupon }: Choice) => coupon.type === "promo";
    const codes = inTurn(inOrder.filter((offer) => !isPromo(offer)));
    const { taken, refused } = codes.taken.some((one) => isAlone(one, one.amountE2))
      ? inTurn(inOrder.filter(isPromo), codes)
      : inTurn(inOrder);
    return { taken: [...bestFirst(used, ({ amountE2 }) => amountE2), ...taken], refused };
  }

  /** What a coupon gives beside those that the order has, or why it does not apply. */
  private takeBeside(
    state: State,
    order: Order,
    {
      offer,
      has,
      isRenewal = false,
      isCheck = false,
    }: { offer: Choice; has: readonly Taken[]; isRenewal?: boolean; isCheck?: boolean },
  ): Taken | string {
    const { coupon, code } = offer;
    const own = order.holds.get(coupon.id);
    const others = has.filter((one) => one !== own);
    // A check judges all rules, also of what is held.
    const isHeld = !isCheck && own?.code === code;
    const deliveries = others.reduce((sum, one) => sum + one.deliveryE2, 0);
    // What was given on goods that cost less by now is missing on the delivery.
    const ofDelivery = order.deliveryE2 - deliveries;
    const ofGoods = order.subtotalE2 - sumOf(others) + deliveries;
    const deliveryLeft = Math.max(ofDelivery + Math.min(ofGoods, 0), 0);
    const goodsLeft = Math.max(ofGoods + Math.min(ofDelivery, 0), 0);
    const lineLeft = order.lines.map(({ priceE2 }, place) =>
      Math.max(priceE2 - others.reduce((sum, one) => sum + (one.lines[place] ?? 0), 0), 0),
    );
    const isOwn = ownLines(coupon, order);
    const ownLeft = Math.min(goodsLeft, total(lineLeft.filter((_, place) => isOwn[place])));
    const leftOf = isForGoods(coupon)
      ? { subtotal: ownLeft, delivery: deliveryLeft, total: ownLeft }
      : { subtotal: goodsLeft, delivery: deliveryLeft, total: goodsLeft + deliveryLeft };
    const leftE2 = leftOf[coupon.appliesTo];
    const due = Math.min(discountOf(coupon, order), leftE2);
    const roomE2 =
      this.roomOf(state, order, coupon) + (own?.amountE2 ?? 0) - takenOfCampaign(order, coupon, has);
    const kept = own !== undefined && isHeld && (!isRenewal || due > roomE2) ? own : null;
    const reason = isHeld
      ? null
      : (this.reasonAgainst(state, order, offer) ??
        (due > roomE2 ? "COUPON_AMOUNT_LIMIT" : combinationReason(coupon, due, others)) ??
        (others.length > 0 && leftE2 === 0 && discountOf(coupon, order) > 0
          ? "COUPON_NOT_COMBINABLE"
          : null));
    if (reason !== null) return reason;
    // What is held is given as it was held, on the same lines.
    if (kept !== null) return { ...kept, id: 0 };
    const left = { goodsE2: goodsLeft, deliveryE2: deliveryLeft, lines: lineLeft };
    return { coupon, code, amountE2: due, ...partsOf(due, coupon, { isOwn, left }), id: 0 };
  }

  /** The first rule but those of amounts that does not hold. */
  private reasonAgainst(state: State, order: Order, { coupon, code }: Choice) {
    const { id, clientId, subtotalE2, currency } = order;
    const elsewhere = [...state.values()].filter((other) => other.id !== id);
    const own = state.get(id) as Order;
    const all = [...elsewhere, own].flatMap((order) => takenOf(order, coupon));
    const ofOthers = elsewhere.flatMap((order) => takenOf(order, coupon));
    if (all.length - (own.holds.has(coupon.id) ? 1 : 0) >= coupon.totalCount) return "COUPON_EXHAUSTED";
    if (coupon.type === "personal" && ofOthers.some((one) => one.code === code)) return "COUPON_CODE_USED";
    if (isForGoods(coupon) && !ownLines(coupon, order).includes(true)) return "COUPON_WRONG_TARGET";
    if ((hasAmounts(coupon) || coupon.campaign !== null) && currency !== "USD") return "COUPON_CURRENCY";
    if (coupon.clientsIn !== null && (clientId === null || !coupon.clientsIn.includes(clientId)))
      return "COUPON_NOT_WHITELISTED";
    if (clientId !== null && coupon.clientsOut.includes(clientId)) return "COUPON_BLACKLISTED";
    if (subtotalE2 < coupon.minPurchaseE2) return "COUPON_MIN_PURCHASE";
    if (coupon.limit === null) return null;
    const ofClient = elsewhere
      .filter((order) => order.clientId === clientId)
      .flatMap((order) => takenOf(order, coupon));
    return clientId === null || ofClient.length >= coupon.limit ? "COUPON_LIMIT" : null;
  }

  private roomOf(state: State, { clientId }: Order, coupon: Terms): number {
    const given = (orders: readonly Order[]) => sumOf(orders.flatMap((order) => takenOf(order, coupon)));
    const all = [...state.values()];
    const { amountLimitE2, clientAmountLimitE2 } = coupon;
    const ofCampaign =
      coupon.campaign === null
        ? Number.MAX_SAFE_INTEGER
        : coupon.campaign.budgetE2 -
          sumOf(
            this.coupons
              .filter(({ campaign }) => campaign?.id === coupon.campaign?.id)
              .flatMap((one) => all.flatMap((order) => takenOf(order, one))),
          );
    const ofCoupon = Math.min((amountLimitE2 ?? Number.MAX_SAFE_INTEGER) - given(all), ofCampaign);
    if (clientAmountLimitE2 === null) return ofCoupon;
    if (clientId === null) return -1;
    const own = all.filter((order) => order.clientId === clientId);
    return Math.min(ofCoupon, clientAmountLimitE2 - given(own));
  }
}

/** What coupons of the same campaign take that are taken along with one, beyond what the order has of them. */
function takenOfCampaign(order: Order, { id, campaign }: Terms, has: readonly Taken[]): number {
  if (campaign === null) return 0;
  return total(
    has
      .filter(({ coupon }) => coupon.campaign?.id === campaign.id && coupon.id !== id)
      .map((one) => one.amountE2 - sumOf(takenOf(order, one.coupon))),
  );
}

/** Gives back what all uses of an order give on units of its lines; each good is in one line. */
function returnedItems(
  state: State,
  order: Order,
  items: readonly Units[],
): { readonly outcome: Outcome; readonly state: State } {
  const wanted = order.lines.map(({ goodId }) =>
    total(items.filter((item) => item.goodId === goodId).map(({ quantity }) => quantity)),
  );
  const backOf = ({ back }: Taken, place: number): number => back?.[place] ?? 0;
  const all = [...order.uses.values(), ...order.returned];
  const left = order.lines.map(({ quantity }, place) =>
    all.length === 0 ? 0 : quantity - Math.max(...all.map((use) => backOf(use, place))),
  );
  const isShort = wanted.some((units, place) => units > (left[place] as number));
  if (isShort || items.length === 0 || order.lines.length === 0)
    return { outcome: "VALIDATION_FAILED", state };
  const given = (use: Taken) =>
    order.lines.map(({ quantity }, place) => {
      const there = quantity - backOf(use, place);
      const asked = wanted[place] as number;
      // Units that went back before the use was made go along with the next ones.
      const units = asked === 0 ? 0 : asked + there - Math.min(there, left[place] as number);
      const share = use.lines[place] ?? 0;
      // Units that got a hundredth more come first.
      const amounts = Array.from(
        { length: there },
        (_, n) => Math.floor(share / there) + (n < share % there ? 1 : 0),
      );
      return { units, amountE2: total(amounts.slice(0, units)) };
    });
  const noted = (use: Taken): Taken => ({
    ...use,
    back: given(use).map(({ units }, place) => backOf(use, place) + units),
  });
  const uses = new Map<number, Taken>();
  const returned = order.returned.map(noted);
  const outcome: Taken[] = [];
  let { wishes } = order;
  for (const use of [...order.uses.values()].sort((a, b) => a.coupon.id - b.coupon.id)) {
    const parts = given(use);
    const backE2 = total(parts.map(({ amountE2 }) => amountE2));
    if (backE2 > 0 && backE2 === use.amountE2) {
      returned.push(noted(use));
      outcome.push(noted(use));
      wishes = [];
      continue;
    }
    const kept = {
      ...noted(use),
      amountE2: use.amountE2 - backE2,
      lines: use.lines.map((share, place) => share - (parts[place]?.amountE2 ?? 0)),
    };
    uses.set(use.coupon.id, kept);
    if (backE2 > 0) outcome.push(kept);
  }
  return { outcome, state: new Map(state).set(order.id, { ...order, uses, returned, wishes }) };
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

function isForGoods({ goods, bundle }: Terms): boolean {
  return goods !== null || bundle !== null;
}

function hasAmounts(coupon: Terms): boolean {
  const { priceE2, minPurchaseE2, maxDiscountE2, amountLimitE2, clientAmountLimitE2 } = coupon;
  return (
    priceE2 > 0 ||
    minPurchaseE2 > 0 ||
    [maxDiscountE2, amountLimitE2, clientAmountLimitE2].some((amount) => amount !== null)
  );
}

/** Which lines of an order have goods of a coupon. */
function ownLines({ goods }: Terms, { lines }: Order): boolean[] {
  return lines.map(
    ({ goodId }) =>
      goods === null ||
      (!goods.exclude.includes(goodId) && (goods.include.length === 0 || goods.include.includes(goodId))),
  );
}

/** Shares an amount by weights; what cutting leaves over goes to the largest remainders, the first of equals first. */
function shared(amount: number, weights: readonly number[]): number[] {
  const sum = total(weights);
  if (sum === 0) return weights.map(() => 0);
  const parts = weights.map((weight) => Math.floor((amount * weight) / sum));
  const rest = (place: number) => (amount * (weights[place] as number)) % sum;
  const places = weights.map((_, place) => place).sort((a, b) => rest(b) - rest(a) || a - b);
  for (const place of places.slice(0, amount - total(parts))) parts[place] = (parts[place] as number) + 1;
  return parts;
}

/** What a discount gives on the delivery and on each line. */
function partsOf(
  amountE2: number,
  coupon: Terms,
  {
    isOwn,
    left,
  }: {
    isOwn: readonly boolean[];
    left: { readonly goodsE2: number; readonly deliveryE2: number; readonly lines: readonly number[] };
  },
): { deliveryE2: number; lines: readonly number[] } {
  const none = left.lines.map(() => 0);
  if (coupon.appliesTo === "delivery")
    return { deliveryE2: Math.min(amountE2, left.deliveryE2), lines: none };
  const weights = left.lines.map((line, place) => (isOwn[place] === true ? line : 0));
  const hasDelivery = coupon.appliesTo === "total" && !isForGoods(coupon) && left.deliveryE2 > 0;
  if (total(weights) === 0)
    return { deliveryE2: hasDelivery ? ofSecond(amountE2, left.goodsE2, left.deliveryE2) : 0, lines: none };
  const parts = hasDelivery
    ? shared(amountE2, [...weights.map((weight) => weight * left.goodsE2), total(weights) * left.deliveryE2])
    : [...shared(amountE2, weights), 0];
  return {
    deliveryE2: parts.at(-1) as number,
    lines: weights.map((weight, place) => Math.min(weight, parts[place] as number)),
  };
}

/** What all units cost that a bundle reduces: the units one by one, the cheapest or the dearest first. */
function reducedOf({ bundle, ...coupon }: Terms, order: Order): number {
  if (bundle === null) return 0;
  const isOwn = ownLines({ bundle, ...coupon }, order);
  const units = order.lines
    .filter((_, place) => isOwn[place])
    .flatMap(({ quantity, priceE2 }) =>
      Array.from({ length: quantity }, (_, n) => Math.floor((priceE2 + n) / quantity)),
    )
    .sort((a, b) => (bundle.cheapest ? a - b : b - a));
  const sets = Math.floor(units.length / (bundle.buy + bundle.get));
  return total(units.slice(0, sets * bundle.get));
}

/** What a basket asks for. */
function wishOf({ choices, withPromos }: { choices: readonly Choice[]; withPromos: boolean }): Wish {
  return { codes: choices.map(({ code }) => code).sort(), withPromos };
}

/** The largest amount first, then the oldest coupon. */
function bestFirst<C extends Choice>(choices: readonly C[], amountOf: (choice: C) => number): C[] {
  return [...choices].sort((a, b) => amountOf(b) - amountOf(a) || a.coupon.id - b.coupon.id);
}

/** The second of two parts of an amount that go by weights; what is left over goes to the larger remainder. */
function ofSecond(amount: number, first: number, second: number): number {
  const sum = first + second;
  if (sum === 0) return 0;
  const isLarger = (amount * second) % sum > (amount * first) % sum;
  return Math.floor((amount * second) / sum) + (isLarger ? 1 : 0);
}

function combinationReason(coupon: Terms, amountE2: number, others: readonly Taken[]): string | null {
  const better = (a: { coupon: Terms; amountE2: number }, b: { coupon: Terms; amountE2: number }) =>
    a.amountE2 > b.amountE2 || (a.amountE2 === b.amountE2 && a.coupon.id < b.coupon.id);
  const self = { coupon, amountE2 };
  const isExcludedBy = (other: Taken) =>
    (coupon.slot !== null && other.coupon.slot === coupon.slot) ||
    (coupon.type === "promo" && !other.coupon.usableInPromos) ||
    (other.coupon.type === "promo" && !coupon.usableInPromos) ||
    (other.coupon.avoids && better(self, other)) ||
    (coupon.avoids && better(other, self));
  const excludes = others.some(
    (other) => other.coupon.id === coupon.id || (other.amountE2 > 0 && isExcludedBy(other)),
  );
  return excludes ? "COUPON_NOT_COMBINABLE" : null;
}

/** What a coupon gives for an order without any other. */
export function discountOf(coupon: Terms, order: Order): number {
  const { priceE2, percent, maxDiscountE2 } = coupon;
  const base = baseOf(coupon, order);
  const exact = base * percent + reducedOf(coupon, order) * (coupon.bundle?.percent ?? 0);
  const fractions = Math.floor((exact * 2 + 100) / 200);
  return Math.min(priceE2 + fractions, maxDiscountE2 ?? base, base);
}

function baseOf(coupon: Terms, order: Order): number {
  const { subtotalE2, deliveryE2 } = order;
  const isOwn = ownLines(coupon, order);
  const ownE2 = total(order.lines.filter((_, place) => isOwn[place]).map(({ priceE2 }) => priceE2));
  const goodsE2 = isForGoods(coupon) ? Math.min(ownE2, subtotalE2) : subtotalE2;
  const both = isForGoods(coupon) ? goodsE2 : subtotalE2 + deliveryE2;
  return { subtotal: goodsE2, delivery: deliveryE2, total: both }[coupon.appliesTo];
}

function takenOf({ uses, holds }: Order, { id }: Terms): Taken[] {
  return [uses.get(id), holds.get(id)].filter((one) => one !== undefined);
}

export function isOf(one: Choice, other: Choice): boolean {
  return one.coupon.id === other.coupon.id && one.code === other.code;
}

export function sumOf(taken: readonly Taken[]): number {
  return taken.reduce((sum, { amountE2 }) => sum + amountE2, 0);
}

function without(taken: ReadonlyMap<number, Taken>, { coupon }: Choice): ReadonlyMap<number, Taken> {
  const rest = new Map(taken);
  rest.delete(coupon.id);
  return rest;
}
