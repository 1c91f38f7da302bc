import { LRUCache } from "lru-cache";

/** At most this many statements are prepared, since each costs memory in every connection. */
export const MOST_PREPARED = 400;
const MOST_SEEN_ONCE = 1_000;

/** PostgreSQL parses, runs and forgets a statement under this name. */
export const UNNAMED = "";

/**
 * Gives names to statements that are to be prepared. A text gets a name when it comes the second time, so that
 * statements made for one occasion (an `IN` list of unusual length) use up no name. When there are too many names,
 * the least recently used one goes. A name is never given to another text: a connection may still have it prepared.
 */
export class StatementNames {
  private readonly names: LRUCache<string, string>;
  private readonly seenOnce = new LRUCache<string, true>({ max: MOST_SEEN_ONCE });
  private given = 0;

  constructor(most = MOST_PREPARED) {
    this.names = new LRUCache({ max: most });
  }

  /** The number of names in use. */
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
