import { LRUCache } from "lru-cache";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { CompanyFacts } from "./company-scope.js";

/**
 * How old remembered facts may be: a change on another instance is seen that late, a change on this one at once.
 */
const MAX_AGE_MS = 2_000;
const MAX_COMPANIES = 10_000;
const DEFAULT_CURRENCY = "USD";

/** Remembers for a few seconds what operations need to know of companies. */
export class CompanyDirectory {
  private readonly known = new LRUCache<number, CompanyFacts>({ max: MAX_COMPANIES, ttl: MAX_AGE_MS });

  constructor(private readonly client: PrismaClient) {}

  /** @returns `null` for a company that does not exist or is deleted. */
  async find(companyId: number): Promise<CompanyFacts | null> {
    const cached = this.known.get(companyId);
    if (cached !== undefined) return cached;
    const company = await this.client.company.findFirst({
      where: { id: companyId, deletedAt: null },
      select: { id: true, timeZoneOffset: true, settings: { select: { data: true } } },
    });
    if (company === null) return null;
    const settings = (company.settings?.data ?? {}) as { currencyIso?: string };
    const facts: CompanyFacts = {
      id: company.id,
      timeZoneOffset: company.timeZoneOffset,
      currencyIso: settings.currencyIso ?? DEFAULT_CURRENCY,
    };
    this.known.set(companyId, facts);
    return facts;
  }

  /** How many companies are remembered now. */
  get size(): number {
    return this.known.size;
  }

  /** Forgets a company, so that a change is seen on this instance at once. */
  forget(companyId: number): void {
    this.known.delete(companyId);
  }
}
