import type { Db } from "../db/db.js";
import { Remembered } from "../remembered.js";
import type { CompanyFacts } from "./company-scope.js";
import { endOf } from "./open-company.js";

/** How old remembered facts may be: an answer to a change of them waits until no instance remembers the ones before. */
const MAX_AGE_MS = 1_000;
/** So long after a change other instances may remember what was before. A timer may end some milliseconds early. */
export const REMEMBERED_ELSEWHERE_MS = MAX_AGE_MS + 5;
const MAX_COMPANIES = 10_000;
const DEFAULT_CURRENCY = "USD";

/** What operations may ask of the directory. */
export type CompanyDirectoryView = Pick<CompanyDirectory, "find" | "forget">;

/** Remembers for a second what operations need to know of companies. */
export class CompanyDirectory {
  private readonly known = new Remembered<number, CompanyFacts>({
    most: MAX_COMPANIES,
    maxAgeMs: MAX_AGE_MS,
  });

  constructor(private readonly client: Db) {}

  /** @returns `null` for a company that does not exist or is deleted; a promise only where it has to be read. */
  find(companyId: number): CompanyFacts | Promise<CompanyFacts | null> {
    return this.known.find(companyId, () => readFacts(this.client, companyId));
  }

  /**
   * Returns the directory as a transaction sees it: facts that are not remembered are read over the transaction's own
   * connection, and are not remembered, since the transaction may be undone.
   *
   * @param afterCommit takes what is to be done after the transaction commits.
   */
  within(transaction: Db, afterCommit: (task: () => void) => void): CompanyDirectoryView {
    const changed = new Set<number>();
    return {
      find: async (companyId) =>
        (changed.has(companyId) ? undefined : this.known.get(companyId)) ?? readFacts(transaction, companyId),
      forget: (companyId) => {
        changed.add(companyId);
        afterCommit(() => this.forget(companyId));
      },
    };
  }

  /** How many companies are remembered now. */
  get size(): number {
    return this.known.size;
  }

  /** Forgets a company, so that a change is seen on this instance at once. */
  forget(companyId: number): void {
    this.known.forget(companyId);
  }
}

/** The fields of inputs that set what `readFacts` reads. A fact that comes to it needs its field here. */
const OF_FACTS = [
  "currencyIso",
  "searchLanguages",
  "timeZone",
  "timeZoneOffset",
  "enabled",
  "expiresAt",
  "extensionDays",
];

/** Whether an input changes what is remembered of a company. */
export const changesFacts = (input: object): boolean => OF_FACTS.some((field) => field in input);

async function readFacts(client: Db, companyId: number): Promise<CompanyFacts | null> {
  const company = await client.company.findFirst({
    where: { id: companyId, deletedAt: null },
    select: {
      id: true,
      timeZoneOffset: true,
      timeZone: true,
      enabled: true,
      expiresAt: true,
      extensionDays: true,
      settings: { select: { data: true } },
    },
  });
  if (company === null) return null;
  const settings = (company.settings?.data ?? {}) as { currencyIso?: string; searchLanguages?: string[] };
  return {
    id: company.id,
    timeZoneOffset: company.timeZone ?? company.timeZoneOffset,
    currencyIso: settings.currencyIso ?? DEFAULT_CURRENCY,
    searchLanguages: settings.searchLanguages ?? null,
    enabled: company.enabled,
    endsAt: endOf(company),
  };
}
