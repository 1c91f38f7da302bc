import { LRUCache } from "lru-cache";
import { roomFor } from "../../core/cache-room.js";

/** How many rows a company has in a table. */
export interface CompanySize {
  /** Whether they are so many that pages of parts of texts are looked for near their beginning first. */
  readonly isLarge: boolean;
  /** Whether they are a large part of the table, so that an index of texts alone finds few rows of others. */
  readonly isMost: boolean;
}

type Row = Readonly<Record<string, unknown>>;
type Read = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

const LARGE = 100_000;
const LARGE_SHARE = 0.1;
const MOST_REMEMBERED = 10_000;
/** Sizes decide on plans alone, so that old ones cost time and no more. */
const MAX_AGE_MS = 60_000;
const SIZE = `
  SELECT coalesce(sum("live" + "deleted"), 0)::float8 AS "own",
         (SELECT greatest("reltuples", 1)::float8 FROM "pg_class" WHERE "oid" = $2::text::regclass) AS "all"
    FROM "row_counts" WHERE "company_id" = $1 AND "table_name" = $2::text`;

/** Remembers how many rows companies have in the tables whose rows are counted. */
export class CompanySizes {
  private readonly known = new LRUCache<string, Promise<CompanySize>>({
    ...roomFor(MOST_REMEMBERED),
    ttl: MAX_AGE_MS,
  });

  /** @param read runs a statement when the size is not known. */
  of(table: string, companyId: number, read: Read): Promise<CompanySize> {
    const key = `${companyId} ${table}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const asked = read(SIZE, [companyId, table]).then(([row]) => sizeOf(row));
    this.known.set(key, asked);
    asked.catch(() => this.known.delete(key));
    return asked;
  }
}

function sizeOf(row: Row | undefined): CompanySize {
  const { own, all } = row as { own: number; all: number };
  return { isLarge: own >= LARGE, isMost: own >= LARGE_SHARE * all };
}
