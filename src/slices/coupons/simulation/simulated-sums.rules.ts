import { localTimeOf } from "../../../core/time/zones.js";
import { MOST_GROUPS, type CouponStats, type StatsKey } from "../stats/coupon-stats.model.js";
import { tooManyGroups, UNGROUPED } from "../stats/coupon-stats.service.js";
import type { SimulatedOrder } from "./simulated-orders.sql.js";
import type { SimulatedUse } from "./simulation.rules.js";

type Value = string | number | null;

/** What a group is for. */
interface Key {
  /** The field of the answer. */
  readonly field: keyof typeof UNGROUPED;
  /** Its value for an order, which was made at a moment of the company's clock. */
  readonly value: (order: SimulatedOrder, local: Date, type: string) => Value;
}

const DAY_MS = 86_400_000;

const dayOf = (local: Date): string => local.toISOString().slice(0, 10);
/** The Monday of a week. */
const weekOf = (local: Date): string =>
  dayOf(new Date(local.getTime() - ((local.getUTCDay() + 6) % 7) * DAY_MS));
const NOBODY = () => null;
const SHOP: Key = { field: "branchGroupId", value: ({ branchGroupId }) => branchGroupId };

const KEYS: Readonly<Record<StatsKey, Key>> = {
  day: { field: "day", value: (_, local) => dayOf(local) },
  week: { field: "week", value: (_, local) => weekOf(local) },
  month: { field: "month", value: (_, local) => dayOf(local).slice(0, 7) },
  coupon: { field: "couponId", value: NOBODY },
  campaign: { field: "campaignId", value: NOBODY },
  branch: { field: "branchId", value: ({ rows }) => rows.branchId },
  branchGroup: SHOP,
  branch_group: SHOP,
  client: { field: "clientId", value: ({ rows }) => rows.clientId },
  type: { field: "type", value: (_, __, type) => type },
  currency: { field: "currencyIso", value: ({ rows }) => rows.order.currencyIso },
};

interface Group extends Record<"uses" | "refusedAttempts" | "newClients" | "clients", number> {
  readonly place: number;
  readonly values: readonly Value[];
  discountE2: bigint;
  companyDiscountE2: bigint;
  subtotalE2: bigint;
}

/** Sums up what a draft would have given, as `couponStats` sums up uses. */
export class SimulatedSums {
  private readonly keys: readonly Key[];
  private readonly groups = new Map<string, Group>();
  private readonly clients = new Set<number>();
  /** The clients of each group, in one set: the place of the group, then the client. */
  private readonly clientsOfGroups = new Set<number>();

  constructor(
    groupBy: readonly StatsKey[],
    private readonly zone: string,
    private readonly type: string,
  ) {
    // The same key twice, or both spellings of one, is one.
    this.keys = [...new Map(groupBy.map((key) => [KEYS[key].field, KEYS[key]])).values()];
    // Without keys there is one row, even of nothing.
    if (this.keys.length === 0) this.groupWith([]);
  }

  /** @throws DomainError VALIDATION_FAILED for more groups than may be answered. */
  add(order: SimulatedOrder, outcome: SimulatedUse | "refused"): void {
    const local = localTimeOf(this.zone, order.createdAt);
    const group = this.groupWith(this.keys.map(({ value }) => value(order, local, this.type)));
    if (outcome === "refused") {
      group.refusedAttempts += 1;
      return;
    }
    group.uses += 1;
    group.discountE2 += outcome.discountE2;
    group.companyDiscountE2 += outcome.companyDiscountE2;
    group.subtotalE2 += order.rows.order.subtotalE2;
    this.addClient(group, order);
  }

  /** The rows in the order of their keys; a key that is null comes last. */
  rows(): CouponStats[] {
    const groups = [...this.groups.values()].sort((one, other) => compare(one.values, other.values));
    return groups.map(({ values, place: _, ...sums }) => ({
      ...UNGROUPED,
      ...Object.fromEntries(this.keys.map(({ field }, place) => [field, values[place] ?? null])),
      ...sums,
      returned: 0,
    }));
  }

  private groupWith(values: readonly Value[]): Group {
    const name = JSON.stringify(values);
    const known = this.groups.get(name);
    if (known !== undefined) return known;
    if (this.groups.size === MOST_GROUPS) throw tooManyGroups();
    const group = {
      ...{ place: this.groups.size, values, uses: 0, refusedAttempts: 0, newClients: 0, clients: 0 },
      ...{ discountE2: 0n, companyDiscountE2: 0n, subtotalE2: 0n },
    };
    this.groups.set(name, group);
    return group;
  }

  private addClient(group: Group, { rows: { clientId }, hadUsed }: SimulatedOrder): void {
    if (clientId === null) return;
    if (!this.clients.has(clientId)) {
      this.clients.add(clientId);
      if (!hadUsed) group.newClients += 1;
    }
    const inGroup = group.place * 2 ** 31 + clientId;
    if (this.clientsOfGroups.has(inGroup)) return;
    this.clientsOfGroups.add(inGroup);
    group.clients += 1;
  }
}

function compare(one: readonly Value[], other: readonly Value[]): number {
  for (const [place, value] of one.entries()) {
    const against = other[place] ?? null;
    if (value === against) continue;
    if (value === null || against === null) return value === null ? 1 : -1;
    return value < against ? -1 : 1;
  }
  return 0;
}
