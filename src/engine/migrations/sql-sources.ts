import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type pg from "pg";
import { commentsOn, indexReasons, reasonsInSql, type ListNeeds } from "./index-reasons.js";
import { MigrationError, withLine } from "./migrate.js";
import { readSqlObjects, type SqlObject } from "./sql-objects.js";

export interface SqlSource {
  /** The path from the directory that was searched; for a derived source, what it follows from. */
  readonly path: string;
  readonly script: string;
  /** The name in SQL of the one function that a derived source creates. */
  readonly function?: string;
  /** What a list asks of the indexes of its table. */
  readonly needs?: ListNeeds;
}

/** The SQL files beside the slices. They are read to make and to test migrations, never to serve requests. */
export interface SqlSources {
  /** Files `<name>.extensions.sql` with the extensions that the other sources need. */
  readonly extensions: readonly SqlSource[];
  /** Files `<name>.function.sql` with one function each, by the function's name in SQL. */
  readonly functions: ReadonlyMap<string, SqlSource>;
  /** Files `<slice>.constraints.sql` with checks and triggers. */
  readonly constraints: readonly SqlSource[];
  /** Files `<slice>.indexes.sql` with the indexes that Prisma's language cannot describe, and statistics. */
  readonly indexes: readonly SqlSource[];
}

const EXTENSIONS_ENDING = ".extensions.sql";
const FUNCTION_ENDING = ".function.sql";
const CONSTRAINTS_ENDING = ".constraints.sql";
const INDEXES_ENDING = ".indexes.sql";

/** Reads the sources below a directory, in the order of their paths. */
export async function readSqlSources(directory: string): Promise<SqlSources> {
  const paths = (await readdir(directory, { recursive: true })).sort();
  const read = (ending: string): Promise<SqlSource[]> =>
    Promise.all(
      paths
        .filter((path) => path.endsWith(ending))
        .map(async (path) => ({ path, script: await readFile(join(directory, path), "utf8") })),
    );
  const functions = new Map<string, SqlSource>();
  for (const source of await read(FUNCTION_ENDING)) {
    const name = basename(source.path, FUNCTION_ENDING).replaceAll("-", "_");
    if (functions.has(name)) throw new MigrationError(`${source.path}: there is another source of ${name}`);
    functions.set(name, source);
  }
  return {
    extensions: await read(EXTENSIONS_ENDING),
    functions,
    constraints: await read(CONSTRAINTS_ENDING),
    indexes: await read(INDEXES_ENDING),
  };
}

/**
 * Creates all objects of the sources in a database that has the tables but none of these objects.
 *
 * @param derived follows from other declarations, and is created last. Then each index gets the comment that says what needs it.
 * @param said is what people have written of the indexes of the schema.
 * @returns the objects that were created.
 * @throws MigrationError for a source that does not run, or that creates anything but the function of its name.
 */
export async function createSqlSources(
  client: pg.Client,
  { extensions, functions, constraints, indexes }: SqlSources,
  derived: readonly SqlSource[],
  said: readonly [string, string][] = [],
): Promise<SqlObject[]> {
  for (const source of extensions) await run(client, source);
  // Bodies of functions are checked after all functions exist, since they call one another.
  for (const checks of ["off", "on"]) {
    await client.query(`SET check_function_bodies = ${checks}`);
    for (const source of functions.values()) await run(client, source);
  }
  for (const source of [...constraints, ...indexes, ...derived]) await run(client, source);
  const written = new Map([...said, ...indexes.flatMap(({ script }) => reasonsInSql(script))]);
  const lists = derived.flatMap(({ needs }) => needs ?? []);
  await client.query(commentsOn(await indexReasons(client, lists, written)));

  const objects = await readSqlObjects(client);
  const created = objects.filter(({ kind }) => kind === "function").map(functionName);
  for (const [name, { path }] of functions) {
    if (created.filter((other) => other === name).length !== 1)
      throw new MigrationError(`${path} has to create one function, ${name}`);
  }
  const made = new Map(derived.flatMap((source) => (source.function ? [[source.function, source]] : [])));
  const all = new Map([...functions, ...made]);
  return objects.map((object) => (object.kind === "function" ? withSource(object, all) : object));
}

function withSource(object: SqlObject, functions: SqlSources["functions"]): SqlObject {
  const source = functions.get(functionName(object));
  if (source === undefined) throw new MigrationError(`There is no file for the ${object.name}`);
  return { ...object, create: source.script };
}

/** Returns the name of a function in SQL without its arguments. */
function functionName({ name }: SqlObject): string {
  return name.slice(name.indexOf(" ") + 1, name.indexOf("("));
}

async function run(client: pg.Client, { path, script }: SqlSource): Promise<void> {
  try {
    await client.query(script);
  } catch (error) {
    throw new MigrationError(`${path}: ${withLine(error, script)}`, { cause: error });
  }
}
