import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { State, Taken, Wish } from "./model.js";
import type { World } from "./world.js";

interface StoredTaken {
  readonly id: number;
  readonly couponId: number;
  /** Null of uses that were made before what the proof is about. */
  readonly orderId: number | null;
  readonly clientId: number | null;
  readonly code: string | null;
  readonly amountE2: number;
  readonly deliveryE2: number;
  /** What each line of the order gets of it; null without lines. */
  readonly lines: readonly number[] | null;
  /** How many units of each line were given back; null without lines. */
  readonly back: readonly number[] | null;
}

/** All that is stored of the discounts of a company; holds that have expired are kept apart. */
export interface Stored {
  readonly coupons: readonly {
    readonly id: number;
    readonly spent: number;
    readonly spentE2: number;
    readonly held: number;
    readonly heldE2: number;
    readonly usedCodes: readonly string[];
  }[];
  readonly orders: readonly {
    readonly id: number;
    readonly clientId: number | null;
    readonly mostE2: number;
    readonly deliveryE2: number;
    /** What its lines cost. */
    readonly lines: readonly number[];
    readonly isCanceled: boolean;
    /** The baskets that it remembers, as hashes; the latest first. */
    readonly wishes: readonly string[];
  }[];
  readonly uses: readonly StoredTaken[];
  readonly holds: readonly (StoredTaken & { readonly isOver: boolean })[];
  /** Uses of the orders that were given back. */
  readonly returned: readonly StoredTaken[];
}

/** Reads it at one moment. `orderIds` are the orders that still count. */
export async function readStored(
  pool: Pool,
  { companyId }: World,
  orderIds: readonly number[],
): Promise<Stored> {
  const taken = `'id', t.id, 'couponId', t.coupon_id, 'orderId', t.order_id, 'clientId', t.client_id, 'code', t.code,
    'amountE2', t.amount_e2, 'deliveryE2', t.delivery_e2, 'lines', jsonb_path_query_array(t.items, '$[*].amountE2'),
    'back', ARRAY(SELECT coalesce((i.value ->> 'returnedQuantity')::int, 0)
                    FROM jsonb_array_elements(t.items) WITH ORDINALITY AS i (value, place) ORDER BY i.place)`;
  const { rows } = await pool.query<{ stored: Stored }>(
    `SELECT json_build_object(
      'coupons', (SELECT json_agg(json_build_object('id', c.id, 'spent', c.spent_count, 'spentE2', c.spent_amount_e2,
          'held', c.held_count, 'heldE2', c.held_amount_e2, 'usedCodes', ARRAY(
            SELECT k.code FROM coupon_codes k
             WHERE k.company_id = $1 AND k.coupon_id = c.id AND k.used_at IS NOT NULL ORDER BY k.code)))
        FROM coupons c WHERE c.company_id = $1),
      'orders', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'clientId', o.client_id, 'mostE2', o.subtotal_e2 + o.delivery_e2, 'deliveryE2', o.delivery_e2,
          'lines', ARRAY(SELECT n.total_price_e2 FROM order_items n WHERE n.company_id = $1 AND n.order_id = o.id ORDER BY n.id),
          'isCanceled', o.status = 'canceled', 'wishes', o.coupon_wishes)), '[]')
        FROM orders o WHERE o.company_id = $1 AND o.id = ANY ($2::int[])),
      'uses', (SELECT coalesce(json_agg(json_build_object(${taken})), '[]')
        FROM coupon_redemptions t WHERE t.company_id = $1 AND t.returned_at IS NULL),
      'returned', (SELECT coalesce(json_agg(json_build_object(${taken})), '[]')
        FROM coupon_redemptions t WHERE t.company_id = $1 AND t.order_id = ANY ($2::int[]) AND t.returned_at IS NOT NULL),
      'holds', (SELECT coalesce(json_agg(json_build_object(${taken}, 'isOver', t.expires_at <= now())), '[]')
        FROM coupon_holds t WHERE t.company_id = $1)) AS stored`,
    [companyId, orderIds],
  );
  return (rows[0] as { stored: Stored }).stored;
}

/** What is wrong with what is stored, whatever has led to it. */
export function faultsOf({ coupons: terms }: World, { coupons, orders, uses, holds }: Stored): string[] {
  const faults: string[] = [];
  const demand = (what: string, holdsTrue: boolean): void => {
    if (!holdsTrue) faults.push(what);
  };
  const open = holds.filter(({ isOver }) => !isOver);
  const sum = (rows: readonly StoredTaken[]) => rows.reduce((all, { amountE2 }) => all + amountE2, 0);
  for (const { id, spent, spentE2, held, heldE2, usedCodes } of coupons) {
    const term = terms.find((one) => one.id === id);
    if (term === undefined) continue;
    const ofCoupon = <T extends StoredTaken>(rows: readonly T[]) =>
      rows.filter(({ couponId }) => couponId === id);
    const [used, kept, counted] = [ofCoupon(uses), ofCoupon(holds), ofCoupon([...uses, ...open])];
    demand(`coupon ${id} counts its uses`, spent === used.length && spentE2 === sum(used));
    demand(`coupon ${id} counts its holds`, held === kept.length && heldE2 === sum(kept));
    demand(`coupon ${id} keeps its total`, counted.length <= term.totalCount);
    demand(`coupon ${id} keeps its budget`, sum(counted) <= (term.amountLimitE2 ?? Infinity));
    const { limit, clientAmountLimitE2 } = term;
    // Uses without an order were made before what the proof is about.
    const now = counted.filter(({ orderId }) => orderId !== null);
    for (const clientId of new Set(now.map((row) => row.clientId))) {
      const own = now.filter((row) => row.clientId === clientId);
      demand(
        `coupon ${id} keeps its limit for client ${clientId}`,
        limit === null || (clientId !== null && own.length <= limit),
      );
      demand(
        `coupon ${id} keeps its budget for client ${clientId}`,
        clientAmountLimitE2 === null || (clientId !== null && sum(own) <= clientAmountLimitE2),
      );
    }
    if (term.type !== "personal") continue;
    const codes = used.map(({ code }) => code as string).sort();
    demand(`coupon ${id} knows its used codes`, JSON.stringify(codes) === JSON.stringify(usedCodes));
    demand(
      `coupon ${id} gives each code once`,
      new Set(counted.map(({ code }) => code)).size === counted.length,
    );
  }
  for (const { id, mostE2, deliveryE2, lines, isCanceled } of orders) {
    const taken = [...uses, ...open].filter(({ orderId }) => orderId === id);
    const given = taken.filter(({ amountE2 }) => amountE2 > 0);
    const kinds = given.map(({ couponId }) => terms.find((one) => one.id === couponId));
    const slots = kinds.flatMap((kind) => kind?.slot ?? []);
    demand(`order ${id} has at most what it costs`, sum(taken) <= mostE2);
    const deliveries = taken.reduce((all, one) => all + one.deliveryE2, 0);
    demand(`order ${id} has at most its delivery on the delivery`, deliveries <= deliveryE2);
    for (const [place, priceE2] of lines.entries()) {
      const given = taken.reduce((all, one) => all + (one.lines?.[place] ?? 0), 0);
      demand(`order ${id} has at most its line ${place} on it`, given <= priceE2);
    }
    demand(`order ${id} has one of a slot`, new Set(slots).size === slots.length);
    demand(`order ${id} has each coupon once`, new Set(kinds).size === kinds.length);
    demand(
      `order ${id} has no promo beside one that goes with none`,
      !kinds.some((kind) => kind?.type === "promo") || kinds.every((kind) => kind?.usableInPromos === true),
    );
    const rows = [...uses, ...holds].filter(({ orderId }) => orderId === id);
    demand(`order ${id} is canceled and has nothing`, !isCanceled || rows.length === 0);
  }
  return faults;
}

/**
 * A text of what orders have and had: the same of a state and of what is stored means that they are the same. What was given
 * back is in it too, and the baskets that orders remember: later answers depend on them.
 */
export function digestOf(state: State): string {
  const lines = [...state.values()].flatMap(({ id, uses, holds, returned, ...order }) => [
    orderLine({
      ...{ id, clientId: order.clientId, mostE2: order.subtotalE2 + order.deliveryE2 },
      ...{ isCanceled: order.isCanceled, wishes: order.wishes.map(hashOf) },
    }),
    ...[...uses.values()].map((one) => line(id, "used", one)),
    ...[...holds.values()].map((one) => line(id, "held", one)),
    ...returned.map((one) => line(id, "returned", one)),
  ]);
  return lines.sort().join("\n");
}

export function digestOfStored({ orders, uses, holds, returned }: Stored): string {
  const known = new Set(orders.map(({ id }) => id));
  const linesOf = (rows: readonly StoredTaken[], what: What) =>
    rows
      .flatMap(({ orderId, ...row }) => (orderId !== null && known.has(orderId) ? [{ orderId, ...row }] : []))
      .map(({ back, ...row }) =>
        line(row.orderId, what, { ...row, back: back ?? [], coupon: { id: row.couponId } }),
      );
  const open = holds.filter(({ isOver }) => !isOver);
  return [
    ...orders.map(orderLine),
    ...linesOf(uses, "used"),
    ...linesOf(open, "held"),
    ...linesOf(returned, "returned"),
  ]
    .sort()
    .join("\n");
}

/** The lines of two digests that the other one lacks. */
export function differenceOf(one: string, other: string): string[] {
  const [ours, theirs] = [one.split("\n"), other.split("\n")];
  return [
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `- ${line}`),
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `+ ${line}`),
  ];
}

type What = "used" | "held" | "returned";

type Spelt = Pick<Taken, "code" | "amountE2" | "deliveryE2" | "id" | "back"> & {
  readonly lines: readonly number[] | null;
  readonly coupon: { readonly id: number };
};

/** The hash by which an order remembers a basket. */
function hashOf({ codes, withPromos }: Wish): string {
  return createHash("sha256")
    .update(JSON.stringify([codes, withPromos]))
    .digest("base64url")
    .slice(0, 22);
}

type OrderLine = Pick<Stored["orders"][number], "id" | "clientId" | "mostE2" | "isCanceled" | "wishes">;

function orderLine({ id, clientId, mostE2, isCanceled, wishes }: OrderLine): string {
  const end = isCanceled ? ", canceled" : wishes.length > 0 ? `, remembers ${wishes.join(" ")}` : "";
  return `${id} of client ${clientId ?? "-"} costs ${mostE2}${end}`;
}

function line(
  orderId: number,
  what: What,
  { coupon, code, amountE2, deliveryE2, lines, back = [], id }: Spelt,
): string {
  const amounts = `${amountE2} (${deliveryE2} of the delivery, ${(lines ?? []).join(" ")} of the lines)`;
  const units = back.some((quantity) => quantity > 0) ? `, ${back.join(" ")} units back` : "";
  return `${orderId} ${what} ${coupon.id} ${code ?? "-"} ${amounts}${units}${what === "held" ? "" : ` as ${id}`}`;
}
