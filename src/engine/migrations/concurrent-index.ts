import pg from "pg";

/** The one statement of a script that runs outside a transaction. */
export interface IndexChange {
  readonly kind: "create" | "drop";
  readonly index: string;
  /** The table that the index is on; the statement that drops an index names none. */
  readonly table: string | null;
}

/** An index of the database. */
interface FoundIndex {
  readonly table: string;
  /** Says whether the build was finished: one that was broken off leaves an index that is only written, never read. */
  readonly isValid: boolean;
}

const CREATE = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"? ON (?:public\.)?"?(\w+)"?[^;]*;?$/iu;
const DROP = /^DROP INDEX CONCURRENTLY "?(\w+)"?;?$/iu;

/** Returns whether a script runs outside a transaction. */
export function isConcurrent(script: string): boolean {
  return /\bCONCURRENTLY\b/iu.test(script);
}

/** Returns a concurrent script as one that runs within a transaction. @throws Error as `readIndexChange` does. */
export function plainScript(script: string): string {
  readIndexChange(script);
  return script.replaceAll(/\b(?<what>(?:CREATE (?:UNIQUE )?|DROP )INDEX) CONCURRENTLY\b/giu, "$<what>");
}

/** Returns a script in one line. */
export function withoutComments(script: string): string {
  return script.replaceAll(/--.*$/gmu, "").replaceAll(/\s+/gu, " ").trim();
}

/**
 * Returns what a concurrent script does.
 *
 * @throws Error when it is anything but one `CREATE INDEX CONCURRENTLY` or `DROP INDEX CONCURRENTLY`.
 */
export function readIndexChange(script: string): IndexChange {
  const statement = withoutComments(script);
  const [, created, table = null] = CREATE.exec(statement) ?? [];
  if (created !== undefined) return { kind: "create", index: created, table };
  const [, dropped] = DROP.exec(statement) ?? [];
  if (dropped !== undefined) return { kind: "drop", index: dropped, table: null };
  throw new Error("a script with CONCURRENTLY has to be one statement that makes or drops an index");
}

/**
 * Makes or drops an index outside a transaction. It takes up what was broken off: an invalid index is dropped and built
 * again; one that was finished without its process is kept. Only the index of the script is ever dropped. When the
 * statement fails, what is left of the index is dropped.
 *
 * @param wasBegun says whether a process began this script and did not note its end.
 * @param begin notes that the script begins; it is called when nothing stands in its way.
 * @param say is called with what is done, with the names of index and table.
 * @throws Error whose message names index and table.
 */
export async function changeIndex(
  client: pg.Client,
  script: string,
  { wasBegun, begin, say }: { wasBegun: boolean; begin: () => Promise<void>; say: (message: string) => void },
): Promise<void> {
  const change = readIndexChange(script);
  const found = await findIndex(client, change.index);
  const what = `the index "${change.index}"${onTable(change.table ?? found?.table)}`;
  if (change.kind === "drop" && found === null && wasBegun) return say(`${what} is gone already`);
  if (change.kind === "create" && found !== null && found.table === change.table) {
    if (found.isValid && wasBegun) return say(`${what} was finished after its process had ended`);
    if (!found.isValid) {
      say(`${what} is invalid, since its build was broken off: it is dropped and built again`);
      await dropIndex(client, change.index);
    }
  }
  if (change.kind === "create" && found?.isValid === true)
    throw new Error(`${what}: there is another index of this name${onTable(found.table)}`);

  await begin();
  say(`${what} is ${change.kind === "create" ? "built" : "dropped"}, while the table is read and written`);
  try {
    await client.query(script);
  } catch (error) {
    if (change.kind === "create") await dropInvalid(client, change);
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

async function findIndex(client: pg.Client, index: string): Promise<FoundIndex | null> {
  const { rows } = await client.query<FoundIndex>(
    `SELECT t.relname AS "table", i.indisvalid AS "isValid"
       FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
      WHERE i.indexrelid = to_regclass(quote_ident($1))`,
    [index],
  );
  return rows[0] ?? null;
}

/** Drops what a failed build leaves; the next run does it when the connection is lost. */
async function dropInvalid(client: pg.Client, { index, table }: IndexChange): Promise<void> {
  const found = await findIndex(client, index).catch(() => null);
  if (found !== null && found.table === table && !found.isValid)
    await dropIndex(client, index).catch(() => undefined);
}

async function dropIndex(client: pg.Client, index: string): Promise<void> {
  // In a distributed database workers may not have got as far as to have it.
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(index)}`);
}

function onTable(table: string | undefined): string {
  return table === undefined ? "" : ` on the table "${table}"`;
}
