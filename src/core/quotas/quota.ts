import { DomainError, validationFailed } from "../errors/domain-error.js";
import type { Db } from "../db/db.js";

/** The part of a `CompanyScope` that a quota needs to read its use. */
export interface QuotaScope {
  readonly db: Db;
  readonly companyId: number;
}

/** How much of something a company may have. A slice declares its quota beside its table. */
export interface Quota {
  /** Its name for operators and callers, such as `storage`. */
  readonly name: string;
  readonly unit: "bytes" | "count";
  /** The limit unless the operator has set another one. */
  readonly usual: number;
  /** Whether room comes back by itself: then the refusal asks callers to wait, else it is one of their input. */
  readonly refills: boolean;
  /**
   * How much the company has now. It must not take longer for one that has much. `null` for what each instance has by
   * itself: whoever holds it counts by `Quotas.countHere`.
   */
  readonly used: ((scope: QuotaScope) => Promise<number>) | null;
}

/** A quota of what the database has. */
export interface StoredQuota extends Quota {
  used(scope: QuotaScope): Promise<number>;
}

/** The quotas of the service with the limits that the operator has set. */
export class Quotas {
  private readonly countedHere = new Map<Quota, (companyId: number) => number>();

  /** @param limits are those that were set, by the name of the quota; 0 is none. */
  constructor(
    readonly all: readonly Quota[],
    private readonly limits: ReadonlyMap<string, number> = new Map(),
  ) {}

  /** `null` when there is none. */
  limitOf({ name, usual }: Quota): number | null {
    const limit = this.limits.get(name) ?? usual;
    return limit === 0 ? null : limit;
  }

  /** Says how much of a quota a company has on this instance. */
  countHere(quota: Quota, count: (companyId: number) => number): void {
    this.countedHere.set(quota, count);
  }

  /** How much of a quota the company has now; 0 of what this process holds none of. */
  async usedOf(quota: Quota, scope: QuotaScope): Promise<number> {
    return quota.used === null ? (this.countedHere.get(quota)?.(scope.companyId) ?? 0) : quota.used(scope);
  }
}

/** With so many left, those who add something at the same moment cannot use all of it, so they need not wait for each other. */
const PLENTY = { count: 1_000, bytes: 1_073_741_824 } as const;
/** First of the two numbers of the advisory lock of a company's quotas, which sets it apart from other locks. */
const QUOTA_LOCKS = 0x6a51;
const RETRY_AFTER_SECONDS = 3_600;

/**
 * Asserts that the company may have more. Near the limit all who add something wait for each other until their transactions
 * end, so that together they never pass it. Call it in the transaction that adds.
 *
 * @throws DomainError VALIDATION_FAILED or, when room comes back by itself, RATE_LIMITED; both with rule `quota` on the
 *   name of the quota.
 */
export async function assertRoom(
  inside: QuotaScope & { readonly quotas: Quotas; readonly whole?: QuotaScope },
  quota: StoredQuota,
  more = 1,
): Promise<void> {
  const limit = inside.quotas.limitOf(quota);
  if (limit === null) return;
  // A quota is the company's, whatever of it the caller reaches.
  const all = inside.whole ?? inside;
  if ((await quota.used(all)) + more + PLENTY[quota.unit] <= limit) return;
  const { db, companyId } = inside;
  await db.$queryRaw`SELECT pg_advisory_xact_lock(${QUOTA_LOCKS}::int, ${companyId}::int)::text`;
  if ((await quota.used(all)) + more > limit) throw quotaUsedUp(quota, limit);
}

/** Refuses what a company has no room for. */
export function quotaUsedUp(
  { name, unit, refills }: Pick<Quota, "name" | "unit" | "refills">,
  limit: number,
  retryAfterSeconds = RETRY_AFTER_SECONDS,
): DomainError {
  const message = `the company may have ${limit}${unit === "bytes" ? " bytes" : ""}`;
  const errors = [{ field: name, rule: "quota", message }];
  if (!refills) return validationFailed(errors);
  return new DomainError("RATE_LIMITED", `The quota ${name} of the company is used up.`, {
    errors,
    retryAfterSeconds,
  });
}
