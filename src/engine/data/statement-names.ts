import { LRUCache } from "lru-cache";

/** Each prepared statement costs memory in every connection, so their number has an end. */
const MOST_NAMES = 400;

/**
 * Names for prepared statements. A text is named when it comes the second time, so that statements made for
 * one occasion (an `IN` list of unusual length) use up no name; once the names are gone the rest stays unnamed.
 */
export function boundedStatementNames(most = MOST_NAMES): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seenOnce = new LRUCache<string, true>({ max: 1000 });
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= most || isControl(sql)) return UNNAMED;
    if (!seenOnce.has(sql)) {
      seenOnce.set(sql, true);
      return UNNAMED;
    }
    seenOnce.delete(sql);
    const fresh = `q${names.size + 1}`;
    names.set(sql, fresh);
    return fresh;
  };
}

/** PostgreSQL's own word for a statement that is parsed, run and forgotten. */
const UNNAMED = "";

function isControl(sql: string): boolean {
  return /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i.test(sql);
}
