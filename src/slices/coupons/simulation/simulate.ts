import type { CreateCouponInput } from "../coupon.inputs.js";
import type { CouponStats, StatsKey } from "../stats/coupon-stats.model.js";
import { draftOf } from "./draft.rules.js";
import { SimulatedSums } from "./simulated-sums.rules.js";
import {
  readOrders,
  type SimulatedOrder,
  type SimulatedTime,
  type SimulationScope,
} from "./simulated-orders.sql.js";
import { Simulation } from "./simulation.rules.js";

export interface SimulationQuestion extends SimulatedTime {
  readonly input: CreateCouponInput;
  readonly groupBy: readonly StatsKey[];
}

/** Who asks, and how a page of orders is read. */
export interface Reader extends Pick<SimulationScope, "company" | "caller"> {
  read<T>(work: (scope: SimulationScope) => Promise<T>): Promise<T>;
}

/**
 * Judges the orders of a time page by page, as they were made, and sums up what the draft would have given. Nothing is written.
 *
 * @param onPage hears how many orders are judged; it throws to end the work.
 * @throws DomainError VALIDATION_FAILED for too many groups.
 */
export async function simulate(
  reader: Reader,
  { input, groupBy, from, until }: SimulationQuestion,
  onPage: (done: number) => Promise<void> = () => Promise.resolve(),
): Promise<readonly CouponStats[]> {
  const draft = draftOf(reader, input);
  const simulation = new Simulation(reader, draft);
  const sums = new SimulatedSums(groupBy, reader.company.timeZoneOffset, draft.type);
  let done = 0;
  let after: { createdAt: Date; id: number } | null = null;
  for (;;) {
    const place = after;
    const orders: readonly SimulatedOrder[] = await reader.read((scope) =>
      readOrders(scope, draft, { from, until }, place),
    );
    for (const order of orders) {
      const outcome = simulation.use(order);
      if (outcome !== "none") sums.add(order, outcome);
    }
    const last = orders.at(-1);
    if (last === undefined) return sums.rows();
    done += orders.length;
    after = { createdAt: last.createdAt, id: last.rows.order.id };
    await onPage(done);
  }
}
