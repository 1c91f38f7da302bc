/**
 * Reads which tables the SQL functions of `src/**` name, so that the service knows what a statement reaches that calls one. A function
 * names what the functions name that it calls. The line `-- @reach all` says of a function that it shows no row of any table.
 */

/**
 * Returns the text of `src/generated/sql-functions.ts`.
 *
 * @param {string[]} files are the texts of the files of functions.
 * @param {string[]} tables are the names of all tables.
 * @throws {Error} for a file that makes no function.
 */
export function sqlFunctions(files, tables) {
  const functions = new Map(files.map(readFunction));
  const named = Object.fromEntries(
    [...functions.keys()]
      .sort()
      .map((name) => [name, [...tablesOf(name, functions, new Set(tables), new Set())].sort()])
      .filter(([, reached]) => reached.length > 0),
  );
  return `// Generated from src/**/*.function.sql by src/tools/sql-functions.mjs.

/** The tables that SQL functions name, by the names of the functions; those that name none are left out. */
export const TABLES_OF_FUNCTIONS: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(named, null, 2)};
`;
}

function readFunction(text) {
  const name = /CREATE OR REPLACE FUNCTION "(?<name>\w+)"/u.exec(text)?.groups.name;
  if (name === undefined) throw new Error(`no function is made: ${text.slice(0, 80)}`);
  const words = /^-- @reach all\b/mu.test(text) ? [] : text.replace(/^\s*--.*$/gmu, "").match(/\w+/gu);
  return [name, new Set(words)];
}

function tablesOf(name, functions, tables, seen) {
  if (seen.has(name)) return [];
  seen.add(name);
  return new Set(
    [...functions.get(name)].flatMap((word) => [
      ...(tables.has(word) ? [word] : []),
      ...(functions.has(word) ? tablesOf(word, functions, tables, seen) : []),
    ]),
  );
}
