import { LRUCache } from "lru-cache";

/** Each prepared statement costs memory in every connection, so their number has an end. */
export const MOST_PREPARED = 400;
const MOST_SEEN_ONCE = 1_000;

/** PostgreSQL's own word for a statement that is parsed, run and forgotten. */
export const UNNAMED = "";

/**
 * Names for prepared statements. A text is named when it comes the second time, so that statements made for one
 * occasion (an `IN` list of unusual length) use up no name. When there are too many names, the one that was used
 * least recently goes. A name belongs to one text for ever: a connection may have it prepared still.
 */
export class StatementNames {
  private readonly names: LRUCache<string, string>;
  private readonly seenOnce = new LRUCache<string, true>({ max: MOST_SEEN_ONCE });
  private given = 0;

  constructor(most = MOST_PREPARED) {
    this.names = new LRUCache({ max: most });
  }

  /** Names in use. */
  get size(): number {
    return this.names.size;
  }

  of(sql: string): string {
    const name = this.names.get(sql);
    if (name !== undefined) return name;
    if (isControl(sql)) return UNNAMED;
    if (!this.seenOnce.has(sql)) {
      this.seenOnce.set(sql, true);
      return UNNAMED;
    }
    this.seenOnce.delete(sql);
    const fresh = `q${(this.given += 1)}`;
    this.names.set(sql, fresh);
    return fresh;
  }
}

function isControl(sql: string): boolean {
  return /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i.test(sql);
}
