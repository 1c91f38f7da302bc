import { beginOf } from "../../../core/time/zones.js";
import { judgeUse } from "../checks/coupon-judgement.rules.js";
import { situationOf } from "../checks/coupon-situation.js";
import type { Candidate } from "../checks/coupon-facts.js";
import type { SimulatedOrder, SimulationScope } from "./simulated-orders.sql.js";

/** What a draft would have given an order, in hundredths. */
export interface SimulatedUse {
  readonly discountE2: bigint;
  readonly companyDiscountE2: bigint;
}

/** What each client had of the draft. */
interface OfClient {
  /** Uses since the beginning of the period of its limit. */
  uses: number;
  since: number;
  givenE2: bigint;
}

const MINUTE_MS = 60_000;

/**
 * Judges one order after the other as a use of the draft would be judged at its moment, with what was used of the draft before.
 * It keeps counts of the clients alone, and only where a limit goes by them.
 */
export class Simulation {
  private spentCount = 0;
  private spentAmountE2 = 0n;
  private readonly clients = new Map<number, OfClient>();
  private readonly hasClientLimit: boolean;
  /** The minute whose period is known: clocks change at minutes. */
  private minute: number | null = null;
  private since = -Infinity;

  constructor(
    private readonly scope: Pick<SimulationScope, "caller" | "company">,
    private readonly draft: Candidate,
  ) {
    const { limit, clientAmountLimitE2 } = draft.config;
    this.hasClientLimit = limit != null || clientAmountLimitE2 != null;
  }

  /**
   * Uses the draft for an order; `refused` by a rule, `none` where there is nothing to use it for: the order is canceled, tells no
   * price, or would get nothing.
   */
  use(order: SimulatedOrder): SimulatedUse | "refused" | "none" {
    const { rows, taken, createdAt: at, hasOrdered, inSegments, inExcludedSegments } = order;
    if (rows.order.status === "canceled" || !rows.order.isPriced) return "none";
    const { clientId } = rows;
    const ofClient = this.ofClient(clientId, at);
    const coupon: Candidate = {
      ...this.draft,
      ...{ spentCount: this.spentCount, spentAmountE2: this.spentAmountE2 },
      ...{ clientUses: ofClient?.uses ?? 0, clientGivenE2: ofClient?.givenE2 ?? 0n },
      ...{ hasOrdered, inSegments, inExcludedSegments },
    };
    const situation = situationOf({ ...this.scope, at }, {}, { rows, taken, isUse: true });
    const { discount, failed } = judgeUse(coupon, situation, { isExplained: false });
    if (failed !== undefined) return "refused";
    const { discountE2, companyDiscountE2 } = discount;
    if (discountE2 === 0n) return "none";
    this.spentCount += 1;
    this.spentAmountE2 += discountE2;
    if (ofClient !== null) {
      ofClient.uses += 1;
      ofClient.givenE2 += discountE2;
    }
    return { discountE2, companyDiscountE2 };
  }

  /** What a client had by a moment; `null` where nothing goes by it. */
  private ofClient(clientId: number | null, at: Date): OfClient | null {
    if (!this.hasClientLimit || clientId === null) return null;
    const since = this.beginOfPeriod(at);
    let known = this.clients.get(clientId);
    if (known === undefined) this.clients.set(clientId, (known = { uses: 0, since, givenE2: 0n }));
    if (known.since !== since) Object.assign(known, { uses: 0, since });
    return known;
  }

  private beginOfPeriod(at: Date): number {
    const { limitPeriod } = this.draft.config;
    if (limitPeriod == null || limitPeriod === "life") return -Infinity;
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.since = beginOf(limitPeriod, this.scope.company.timeZoneOffset, at).getTime();
    }
    return this.since;
  }
}
