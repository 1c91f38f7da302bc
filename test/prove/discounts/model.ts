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
  /** Id of the use; 0 when it was made in this round, and of a hold. */
  readonly id: number;
}

export interface Order {
  readonly id: number;
  readonly clientId: number | null;
  readonly subtotalE2: number;
  readonly deliveryE2: number;
  readonly isCanceled: boolean;
  /** By the id of the coupon. */
  readonly uses: ReadonlyMap<number, Taken>;
  readonly holds: ReadonlyMap<number, Taken>;
  /** Uses that were given back. */
  readonly returned: readonly Taken[];
  /** Baskets that were taken whole, and of which nothing was given back. */
  readonly wishes: readonly string[];
}

export type Step =
  | ({ readonly kind: "consume" | "hold" | "release" | "return"; readonly orderId: number } & Choice)
  | {
      readonly kind: "consumeAll" | "show";
      readonly orderId: number;
      readonly choices: readonly Choice[];
      readonly withPromos: boolean;
    }
  | { readonly kind: "resize"; readonly orderId: number; readonly subtotalE2: number }
  | { readonly kind: "cancel"; readonly orderId: number };

/** What was taken, or given back; or the code of the refusal. */
export type Outcome = readonly Taken[] | string;

/** All orders that are not canceled for good, by their id, as one after the other has changed them. */
export type State = ReadonlyMap<number, Order>;

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
      case "show": {
        if (order.isCanceled) return refuse("INVALID_STATE");
        return change(this.decide(state, order, this.offersOf(step)).taken, {});
      }
      case "consumeAll": {
        if (order.isCanceled) return refuse("INVALID_STATE");
        const wish = wishOf(step);
        const isRepeat = order.wishes.includes(wish);
        const offers = this.offersOf(step).filter(
          ({ coupon, code }) => !isRepeat || code !== null || order.uses.has(coupon.id),
        );
        const { taken: all, refused } = this.decide(state, order, offers);
        const wrong = refused.find(({ code }) => code !== null);
        if (wrong !== undefined) return refuse(wrong.reason);
        const taken = all.filter(({ amountE2, coupon }) => amountE2 > 0 || order.uses.has(coupon.id));
        const isNew = taken.some(({ coupon }) => !order.uses.has(coupon.id));
        return change(taken, {
          wishes: isNew ? [wish, ...order.wishes.filter((one) => one !== wish)].slice(0, 8) : order.wishes,
          uses: taken.reduce((uses, one) => new Map(uses).set(one.coupon.id, one), order.uses),
          holds: taken.reduce((holds, one) => without(holds, one), order.holds),
        });
      }
      default:
        return this.takeOne(state, order, step);
    }
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
    { offer, has, isRenewal }: { offer: Choice; has: readonly Taken[]; isRenewal: boolean },
  ): Taken | string {
    const { coupon, code } = offer;
    const own = order.holds.get(coupon.id);
    const others = has.filter((one) => one !== own);
    const isHeld = own?.code === code;
    const deliveries = others.reduce((sum, one) => sum + one.deliveryE2, 0);
    // What was given on goods that cost less by now is missing on the delivery.
    const ofDelivery = order.deliveryE2 - deliveries;
    const ofGoods = order.subtotalE2 - sumOf(others) + deliveries;
    const deliveryLeft = Math.max(ofDelivery + Math.min(ofGoods, 0), 0);
    const goodsLeft = Math.max(ofGoods + Math.min(ofDelivery, 0), 0);
    const leftOf = { subtotal: goodsLeft, delivery: deliveryLeft, total: goodsLeft + deliveryLeft };
    const leftE2 = leftOf[coupon.appliesTo];
    const due = Math.min(discountOf(coupon, order), leftE2);
    const roomE2 = this.roomOf(state, coupon) + (own?.amountE2 ?? 0);
    const kept = own !== undefined && isHeld && (!isRenewal || due > roomE2) ? own : null;
    const reason = isHeld
      ? null
      : (this.reasonAgainst(state, order, offer) ??
        (due > roomE2 ? "COUPON_AMOUNT_LIMIT" : combinationReason(coupon, due, others)) ??
        (others.length > 0 && leftE2 === 0 && baseOf(coupon, order) > 0 ? "COUPON_NOT_COMBINABLE" : null));
    if (reason !== null) return reason;
    const amountE2 = kept?.amountE2 ?? due;
    const parts = {
      subtotal: 0,
      delivery: Math.min(amountE2, deliveryLeft),
      total: ofSecond(amountE2, goodsLeft, deliveryLeft),
    };
    const deliveryE2 = isRenewal && kept !== null ? kept.deliveryE2 : parts[coupon.appliesTo];
    return { coupon, code, amountE2, deliveryE2, id: 0 };
  }

  /** The first rule but those of amounts that does not hold. */
  private reasonAgainst(state: State, { id, clientId, subtotalE2 }: Order, { coupon, code }: Choice) {
    const elsewhere = [...state.values()].filter((order) => order.id !== id);
    const own = state.get(id) as Order;
    const all = [...elsewhere, own].flatMap((order) => takenOf(order, coupon));
    const ofOthers = elsewhere.flatMap((order) => takenOf(order, coupon));
    if (all.length - (own.holds.has(coupon.id) ? 1 : 0) >= coupon.totalCount) return "COUPON_EXHAUSTED";
    if (coupon.type === "personal" && ofOthers.some((one) => one.code === code)) return "COUPON_CODE_USED";
    if (subtotalE2 < coupon.minPurchaseE2) return "COUPON_MIN_PURCHASE";
    if (coupon.limit === null) return null;
    const ofClient = elsewhere
      .filter((order) => order.clientId === clientId)
      .flatMap((order) => takenOf(order, coupon));
    return clientId === null || ofClient.length >= coupon.limit ? "COUPON_LIMIT" : null;
  }

  private roomOf(state: State, coupon: Terms): number {
    if (coupon.amountLimitE2 === null) return Number.MAX_SAFE_INTEGER;
    return coupon.amountLimitE2 - sumOf([...state.values()].flatMap((order) => takenOf(order, coupon)));
  }
}

/** What a basket asks for. */
function wishOf({ choices, withPromos }: { choices: readonly Choice[]; withPromos: boolean }): string {
  return [withPromos ? "promos" : "", ...choices.map(({ code }) => code).sort()].join();
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
  const share = Math.floor((base * percent * 2 + 100) / 200);
  return Math.min(priceE2 + share, maxDiscountE2 ?? base, base);
}

function baseOf({ appliesTo }: Terms, { subtotalE2, deliveryE2 }: Order): number {
  return { subtotal: subtotalE2, delivery: deliveryE2, total: subtotalE2 + deliveryE2 }[appliesTo];
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
