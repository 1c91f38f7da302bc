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
          return change([use], { uses: without(order.uses, use), returned: [...order.returned, use] });
        const before = order.returned.findLast((one) => isOf(one, step));
        return before === undefined ? refuse("NOT_FOUND") : change([before], {});
      }
      case "show": {
        if (order.isCanceled) return refuse("INVALID_STATE");
        return change(this.decide(state, order, this.offersOf(step)).taken, {});
      }
      case "consumeAll": {
        if (order.isCanceled) return refuse("INVALID_STATE");
        const { taken, refused } = this.decide(state, order, repeated(order, step) ?? this.offersOf(step));
        const wrong = refused.find(({ code }) => code !== null);
        if (wrong !== undefined) return refuse(wrong.reason);
        return change(taken, {
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
    const { taken, refused } = this.decide(state, order, [step]);
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
  private decide(state: State, order: Order, offers: readonly Choice[]): Decision {
    const used = offers.flatMap((offer) => {
      const use = order.uses.get(offer.coupon.id);
      return use !== undefined && isOf(use, offer) ? [use] : [];
    });
    const open = offers.filter((offer) => !used.some((use) => isOf(use, offer)));
    const taken = bestFirst(used, ({ amountE2 }) => amountE2);
    const refused: { code: string | null; reason: string }[] = [];
    const inOrder = bestFirst(open, ({ coupon }) => discountOf(coupon, order));
    let has = [...order.uses.values(), ...order.holds.values()];
    for (const offer of inOrder) {
      const { coupon, code } = offer;
      const own = order.holds.get(coupon.id);
      const others = has.filter((one) => one !== own);
      const leftE2 = Math.max(order.subtotalE2 + order.deliveryE2 - sumOf(others), 0);
      const amountE2 = Math.min(discountOf(coupon, order), leftE2);
      const isHeld = own?.code === code;
      const roomE2 = this.roomOf(state, coupon) + (own?.amountE2 ?? 0);
      const reason = isHeld
        ? null
        : (this.reasonAgainst(state, order, offer) ??
          (amountE2 > roomE2 ? "COUPON_AMOUNT_LIMIT" : combinationReason(coupon, amountE2, others)) ??
          (others.length > 0 && leftE2 === 0 ? "COUPON_NOT_COMBINABLE" : null));
      if (reason !== null) {
        refused.push({ code, reason });
        continue;
      }
      // A hold gives what it held when the budget leaves no more.
      const one = { coupon, code, amountE2: amountE2 > roomE2 ? (own?.amountE2 ?? 0) : amountE2, id: 0 };
      taken.push(one);
      has = [...others, one];
    }
    return { taken, refused };
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

/** The uses that a basket made before: each code, or some promo when there are no codes. */
function repeated(
  order: Order,
  { choices, withPromos }: { choices: readonly Choice[]; withPromos: boolean },
): readonly Choice[] | null {
  const uses = [...order.uses.values()];
  const used = uses.filter(
    (use) => choices.some((choice) => isOf(use, choice)) || (withPromos && use.coupon.type === "promo"),
  );
  const isRepeat =
    choices.length > 0 ? choices.every((choice) => uses.some((use) => isOf(use, choice))) : used.length > 0;
  return isRepeat ? used : null;
}

/** The largest amount first, then the oldest coupon; promos come last where a code goes with none. */
function bestFirst<C extends Choice>(choices: readonly C[], amountOf: (choice: C) => number): C[] {
  const isAlone = choices.some(
    (choice) => choice.coupon.type !== "promo" && !choice.coupon.usableInPromos && amountOf(choice) > 0,
  );
  const comesLater = ({ coupon }: Choice) => (isAlone && coupon.type === "promo" ? 1 : 0);
  return [...choices].sort(
    (a, b) => comesLater(a) - comesLater(b) || amountOf(b) - amountOf(a) || a.coupon.id - b.coupon.id,
  );
}

function combinationReason(coupon: Terms, amountE2: number, others: readonly Taken[]): string | null {
  const better = (a: { coupon: Terms; amountE2: number }, b: { coupon: Terms; amountE2: number }) =>
    a.amountE2 > b.amountE2 || (a.amountE2 === b.amountE2 && a.coupon.id < b.coupon.id);
  const self = { coupon, amountE2 };
  const excludes = others.some(
    (other) =>
      other.coupon.id === coupon.id ||
      (coupon.slot !== null && other.coupon.slot === coupon.slot) ||
      (coupon.type === "promo" && !other.coupon.usableInPromos) ||
      (other.coupon.type === "promo" && !coupon.usableInPromos) ||
      (other.coupon.avoids && better(self, other)) ||
      (coupon.avoids && better(other, self)),
  );
  return excludes ? "COUPON_NOT_COMBINABLE" : null;
}

/** What a coupon gives for an order without any other. */
export function discountOf(
  { priceE2, percent, appliesTo, maxDiscountE2 }: Terms,
  { subtotalE2, deliveryE2 }: Order,
): number {
  const base = { subtotal: subtotalE2, delivery: deliveryE2, total: subtotalE2 + deliveryE2 }[appliesTo];
  const share = Math.floor((base * percent * 2 + 100) / 200);
  return Math.min(priceE2 + share, maxDiscountE2 ?? base, base);
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
