import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import type * as EngineModule from "@prisma/schema-engine-wasm";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import type pg from "pg";
import { readSchemaFiles } from "./migration-files.js";

export type { SchemaEngine } from "@prisma/schema-engine-wasm";

/** The filter for the engine when everything in the database belongs to the Prisma schema. */
export const NO_FILTER = { externalTables: [], externalEnums: [] };

/**
 * Runs `work` with Prisma's own migration engine in WebAssembly, which compares schemas. Nothing is downloaded.
 */
export async function withSchemaEngine<T>(
  url: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const pools: pg.Pool[] = [];
  const { SchemaEngine } = await loadEngine();
  const files = await readSchemaFiles();
  const engine = await SchemaEngine.new(
    { datamodels: files.map(({ path, content }) => [path, content]) },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(new ScriptRunningFactory(url, pools)),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    for (const pool of pools) if (!pool.ended) await pool.end();
  }
}

/**
 * Runs a script as a whole. The adapter cuts scripts at every semicolon, also within the body of a function, while
 * PostgreSQL takes a script whole, as one transaction.
 */
async function runWhole(pool: pg.Pool, script: string): Promise<void> {
  await pool.query(script);
}

class ScriptRunningFactory extends PrismaPg {
  constructor(
    url: string,
    private readonly pools: pg.Pool[],
  ) {
    super({ connectionString: url, connectionTimeoutMillis: 10_000, max: 2 });
  }

  override async connect() {
    const adapter = await super.connect();
    const pool = adapter.underlyingDriver();
    this.pools.push(pool);
    adapter.executeScript = (script) => runWhole(pool, script);
    readSingleCharacters(adapter);
    return adapter;
  }
}

const ENGINE = Symbol.for("commerce-gateway.schema-engine");
const CHAR = 18;
const TEXT = 25;

/**
 * Makes columns of PostgreSQL's one-byte type "char" readable. The engine reads such columns of the catalogue when
 * it looks at a database, but the adapter has no counterpart: so they pass as text there and are declared as
 * characters here.
 */
function readSingleCharacters(adapter: SqlDriverAdapter): void {
  const charColumns = new WeakMap<object, number[]>();
  const inner = adapter as unknown as { performIO(query: SqlQuery): Promise<pg.QueryArrayResult> };
  const performIO = inner.performIO.bind(adapter);
  inner.performIO = async (query) => {
    const result = await performIO(query);
    const columns = result.fields.flatMap((field, index) => (field.dataTypeID === CHAR ? [index] : []));
    for (const index of columns) (result.fields[index] as pg.FieldDef).dataTypeID = TEXT;
    charColumns.set(result.rows, columns);
    return result;
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(result.rows) ?? [])
      result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
}

/**
 * The place of this process's engine. Its bindings are for one engine alone, and tests load this file twice: as it is
 * built and as it is written.
 */
const loaded = globalThis as { [ENGINE]?: Promise<typeof EngineModule> };

/** Instantiates the engine by hand, since not every supported Node can import a `.wasm` file. */
function loadEngine(): Promise<typeof EngineModule> {
  loaded[ENGINE] ??= (async () => {
    const folder = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
    const bindings =
      (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as unknown as typeof EngineModule & {
        __wbg_set_wasm(exports: object): void;
      };
    const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyInterface };
    const code = await readFile(join(folder, "schema_engine_bg.wasm"));
    const { instance } = await WebAssembly.instantiate(code, {
      "./schema_engine_bg.js": withPassiveTimers(bindings),
    });
    bindings.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
    return bindings;
  })();
  return loaded[ENGINE];
}

/** Lets the process end although the engine leaves the timer of its lock behind, which would last 10 s. */
function withPassiveTimers(bindings: object): object {
  const imports = new Map<string, unknown>(Object.entries(bindings));
  for (const [name, value] of imports) {
    if (!name.startsWith("__wbg_setTimeout_")) continue;
    const setTimer = value as (...args: unknown[]) => NodeJS.Timeout;
    imports.set(name, (...args: unknown[]) => setTimer(...args).unref());
  }
  return Object.fromEntries(imports);
}

/** The one function that is needed here; TypeScript declares it only in the library of browsers. */
interface WebAssemblyInterface {
  instantiate(
    code: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
}
