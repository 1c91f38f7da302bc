import { LRUCache } from "lru-cache";
import { knownTexts } from "./known-texts.js";

/** At most this many statements are prepared, since each costs memory in every connection. */
export const MOST_PREPARED = 400;
/** A longer text is not prepared: connections would keep it, and PostgreSQL a plan many times as large. */
const LONGEST_PREPARED = 20_000;
/** How often a text has to come until it is named; while names are free, and when another has to lose its own. */
const TIMES = 2;
const TIMES_WHEN_FULL = 4;
/** Texts without a name whose times are counted: what comes more seldom stays without. */
const MOST_COUNTED = { texts: 1_000, characters: 4_000_000 };

/** PostgreSQL parses, runs and forgets a statement under this name. */
export const UNNAMED = "";

/**
 * Gives names to statements that are to be prepared. A text gets a name when it comes again, so that statements made
 * for one occasion (an `IN` list of unusual length) use up no name. When there are too many names, the least recently
 * used one goes. A name is never given to another text: a connection may still have it prepared.
 */
export class StatementNames {
  private readonly names: LRUCache<string, string>;
  private readonly timesSeen = knownTexts<number>(MOST_COUNTED);
  private given = 0;

  constructor(private readonly most = MOST_PREPARED) {
    this.names = new LRUCache({ max: most });
  }

  /** The number of names in use. */
  get size(): number {
    return this.names.size;
  }

  of(sql: string): string {
    const name = this.names.get(sql);
    if (name !== undefined) return name;
    if (sql.length > LONGEST_PREPARED || isControl(sql)) return UNNAMED;
    const times = (this.timesSeen.get(sql) ?? 0) + 1;
    if (times < (this.size < this.most ? TIMES : TIMES_WHEN_FULL)) {
      this.timesSeen.set(sql, times);
      return UNNAMED;
    }
    this.timesSeen.delete(sql);
    const fresh = `q${(this.given += 1)}`;
    this.names.set(sql, fresh);
    return fresh;
  }
}

function isControl(sql: string): boolean {
  return /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i.test(sql);
}
