/** One migration of several that belong together; `suffix` sets them apart by name. */
export interface MigrationPart {
  readonly suffix: string;
  readonly script: string;
}

/** The statements of a new migration that are about indexes. */
export interface IndexStatements {
  /** The engine's script for tables, keys and plain indexes. */
  readonly tables: string;
  /** `CREATE INDEX` of further indexes. */
  readonly creations: readonly string[];
  /** `DROP INDEX` of further indexes. */
  readonly drops: readonly string[];
}

const CREATION =
  /^CREATE (?<unique>UNIQUE )?INDEX "?(?<name>\w+)"? (?<target>ON (?:public\.)?"?(?<table>\w+)"?[^]*)$/u;
const DROP = /^DROP INDEX "?(?<name>\w+)"?;\n$/u;
const TABLE = /^CREATE TABLE "(?<table>\w+)"/gmu;
const CREATED_BY_ENGINE = /^-- CreateIndex\n(?<statement>.*\n)\n?/gmu;
const DROPPED_BY_ENGINE = /^-- DropIndex\n(?<statement>.*\n)\n?/gmu;
/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63;

/**
 * Takes the new indexes of tables that are there already out of a migration: writes to these tables would have to wait, so
 * each is built concurrently by a migration of its own. Then indexes are dropped after these, in the last one, so that meanwhile
 * no list is slow and no rule unwatched: an index that has changed is built under another name and then takes its own.
 *
 * @returns what is left for the first migration, and those that follow it.
 */
export function splitIndexes(all: IndexStatements): IndexStatements & { later: MigrationPart[] } {
  const newTables = new Set([...all.tables.matchAll(TABLE)].map(({ groups }) => groups?.["table"]));
  const isLater = (creation: string) => !newTables.has(CREATION.exec(creation)?.groups?.["table"]);
  const built = [...statementsIn(all.tables, CREATED_BY_ENGINE), ...all.creations].filter(isLater);
  if (built.length === 0) return { ...all, later: [] };

  const dropped = [...statementsIn(all.tables, DROPPED_BY_ENGINE), ...all.drops];
  const gone = new Set(dropped.map((drop) => DROP.exec(drop)?.groups?.["name"]));
  const builds = built.map((creation) => {
    const { unique = "", name = "", target = "" } = CREATION.exec(creation)?.groups ?? {};
    const first = gone.has(name) ? `${name.slice(0, LONGEST_NAME - 4)}_new` : name;
    return { name, first, script: `CREATE ${unique}INDEX CONCURRENTLY "${first}" ${target}` };
  });
  const last = [
    // A table or a column that is gone has taken its indexes along.
    ...dropped.map((drop) => drop.replace("INDEX", "INDEX IF EXISTS")),
    ...builds
      .filter(({ name, first }) => name !== first)
      .map(({ name, first }) => `ALTER INDEX "${first}" RENAME TO "${name}";\n`),
  ].join("");
  return {
    tables: all.tables
      .replaceAll(DROPPED_BY_ENGINE, "")
      .replaceAll(CREATED_BY_ENGINE, (block, statement: string) => (isLater(statement) ? "" : block)),
    creations: all.creations.filter((creation) => !isLater(creation)),
    drops: [],
    later: [
      ...builds.map(({ name, script }) => ({ suffix: name, script })),
      ...(last === "" ? [] : [{ suffix: "old_indexes", script: last }]),
    ],
  };
}

function statementsIn(script: string, block: RegExp): string[] {
  return [...script.matchAll(block)].map(({ groups }) => groups?.["statement"] ?? "");
}
