import { LRUCache } from "lru-cache";
import { freshFor, roomFor } from "../../core/cache-room.js";
import type { Pool } from "pg";

const MOST_REMEMBERED = 10_000;
/** A scale moves by one while a company becomes ten times as large, so an old one does little harm. */
const MAX_AGE_MS = 600_000;
const ROWS = `
  SELECT coalesce(sum("live" + "deleted"), 0)::float8 AS "rows" FROM "row_counts" WHERE "company_id" = $1`;

/** Remembers how large companies are: the number of digits of how many rows are counted of them. */
export class CompanyScales {
  private readonly known = new LRUCache<number, number>({
    ...roomFor(MOST_REMEMBERED),
    ...freshFor(MAX_AGE_MS),
  });
  private readonly asked = new Set<number>();

  constructor(private readonly pool: Pool) {}

  /** Returns the scale of a company, 0 as long as it is not known. Nobody waits for it, and it takes no connection from others. */
  of(companyId: number | null): number {
    if (companyId === null) return 0;
    const known = this.known.get(companyId);
    if (known !== undefined) return known;
    if (this.pool.idleCount > 0 && this.pool.waitingCount === 0 && !this.asked.has(companyId))
      void this.ask(companyId);
    return 0;
  }

  private async ask(companyId: number): Promise<void> {
    this.asked.add(companyId);
    try {
      const { rows } = await this.pool.query<{ rows: number }>(ROWS, [companyId]);
      this.known.set(companyId, String(rows[0]?.rows ?? 0).length);
    } catch {
      // The next run asks again.
    } finally {
      this.asked.delete(companyId);
    }
  }
}
