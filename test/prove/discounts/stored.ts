import type { Pool } from "pg";
import type { State, Taken } from "./model.js";
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
  }[];
  readonly uses: readonly StoredTaken[];
  readonly holds: readonly (StoredTaken & { readonly isOver: boolean })[];
}

/** Reads it at one moment. `orderIds` are the orders that still count. */
export async function readStored(
  pool: Pool,
  { companyId }: World,
  orderIds: readonly number[],
): Promise<Stored> {
  const taken = `'id', t.id, 'couponId', t.coupon_id, 'orderId', t.order_id, 'clientId', t.client_id, 'code', t.code,
    'amountE2', t.amount_e2, 'deliveryE2', t.delivery_e2, 'lines', jsonb_path_query_array(t.items, '$[*].amountE2')`;
  const { rows } = await pool.query<{ stored: Stored }>(
    `SELECT json_build_object(
      'coupons', (SELECT json_agg(json_build_object('id', c.id, 'spent', c.spent_count, 'spentE2', c.spent_amount_e2,
          'held', c.held_count, 'heldE2', c.held_amount_e2, 'usedCodes', ARRAY(
            SELECT k.code FROM coupon_codes k
             WHERE k.company_id = $1 AND k.coupon_id = c.id AND k.used_at IS NOT NULL ORDER BY k.code)))
        FROM coupons c WHERE c.company_id = $1),
      'orders', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'clientId', o.client_id, 'mostE2', o.subtotal_e2 + o.delivery_e2, 'deliveryE2', o.delivery_e2,
          'lines', ARRAY(SELECT n.total_price_e2 FROM order_items n WHERE n.company_id = $1 AND n.order_id = o.id ORDER BY n.id),
          'isCanceled', o.status = 'canceled')), '[]')
        FROM orders o WHERE o.company_id = $1 AND o.id = ANY ($2::int[])),
      'uses', (SELECT coalesce(json_agg(json_build_object(${taken})), '[]')
        FROM coupon_redemptions t WHERE t.company_id = $1 AND t.returned_at IS NULL),
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

/** A text of what orders have: the same of a state and of what is stored means that they are the same. */
export function digestOf(state: State): string {
  const lines = [...state.values()].flatMap(({ id, uses, holds, ...order }) => [
    orderLine(id, order.clientId, order.subtotalE2 + order.deliveryE2, order.isCanceled),
    ...[...uses.values()].map((one) => line(id, "used", one)),
    ...[...holds.values()].map((one) => line(id, "held", one)),
  ]);
  return lines.sort().join("\n");
}

export function digestOfStored({ orders, uses, holds }: Stored): string {
  const known = new Set(orders.map(({ id }) => id));
  const told = (rows: readonly StoredTaken[], what: string) =>
    rows
      .flatMap(({ orderId, ...row }) => (orderId !== null && known.has(orderId) ? [{ orderId, ...row }] : []))
      .map((row) => line(row.orderId, what, { ...row, coupon: { id: row.couponId } }));
  return [
    ...orders.map(({ id, clientId, mostE2, isCanceled }) => orderLine(id, clientId, mostE2, isCanceled)),
    ...told(uses, "used"),
    ...told(
      holds.filter(({ isOver }) => !isOver),
      "held",
    ),
  ]
    .sort()
    .join("\n");
}

type Told = Pick<Taken, "code" | "amountE2" | "deliveryE2" | "id"> & {
  readonly lines: readonly number[] | null;
  readonly coupon: { readonly id: number };
};

function orderLine(id: number, clientId: number | null, mostE2: number, isCanceled: boolean): string {
  return `${id} of client ${clientId ?? "-"} costs ${mostE2}${isCanceled ? ", canceled" : ""}`;
}

function line(
  orderId: number,
  what: string,
  { coupon, code, amountE2, deliveryE2, lines, id }: Told,
): string {
  const amounts = `${amountE2} (${deliveryE2} of the delivery, ${(lines ?? []).join(" ")} of the lines)`;
  return `${orderId} ${what} ${coupon.id} ${code ?? "-"} ${amounts}${what === "used" ? ` as ${id}` : ""}`;
}
