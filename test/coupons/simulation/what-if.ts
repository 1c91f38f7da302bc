import { createOrder } from "../running-coupon.js";
import { dataOf, type Client, type Gateway, type GraphqlResult } from "../../support/gateway.js";

const SUMS = "uses returned discountE2 companyDiscountE2 subtotalE2 clients newClients refusedAttempts";
export const SIMULATE = /* GraphQL */ `
  query ($companyId: Int!, $input: CreateCouponInput!, $groupBy: [CouponStatsKey!], $from: DateTime, $until: DateTime) {
    answer: simulateCoupon(companyId: $companyId, input: $input, groupBy: $groupBy, from: $from, until: $until) {
      day week month couponId campaignId branchId branchGroupId clientId type currencyIso ${SUMS}
    }
  }
`;
export const STATS = /* GraphQL */ `
  query ($companyId: Int!, $filter: CouponStatsFilterInput, $groupBy: [CouponStatsKey!]) {
    answer: couponStats(companyId: $companyId, filter: $filter, groupBy: $groupBy) {
      day week month couponId campaignId branchId branchGroupId clientId type currencyIso ${SUMS}
    }
  }
`;

type Sums = Record<string, unknown>;

/** The rows of an answer, without what is null or 0. */
export function told(result: GraphqlResult): Sums[] {
  const rows = dataOf(result)["answer"] as Sums[];
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== 0)),
  );
}

/** Asks what drafts would have given in the third quarter of 2026, and brings orders of that time. */
export class WhatIf {
  constructor(
    private readonly gateway: Gateway,
    readonly companyId: number,
    private readonly by: Client,
  ) {}

  ask(draft: object, more: object = {}): Promise<GraphqlResult> {
    const input = { type: "promo", totalCount: 1_000, ...draft };
    const time = { from: "2026-07-01T00:00:00Z", until: "2026-11-01T00:00:00Z" };
    return this.by.run(SIMULATE, { companyId: this.companyId, input, ...time, ...more });
  }

  async rows(draft: object, more: object = {}): Promise<Sums[]> {
    return told(await this.ask(draft, more));
  }

  /** An order of a moment of its subtotal alone. */
  order(createdAt: string, subtotalE2: number, more: object = {}): Promise<{ id: number }> {
    return createOrder(this.gateway, this.companyId, {
      ...{ subtotalE2, deliveryE2: 0, totalE2: subtotalE2, createdAt: new Date(createdAt) },
      ...more,
    });
  }
}
