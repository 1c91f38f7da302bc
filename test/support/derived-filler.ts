import type { ModelName } from "../../src/core/scope/tenant-models.js";
import { MODEL_TABLES, type ColumnType } from "../../src/engine/reads/model-tables.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import type { PrismaClient } from "../../src/generated/prisma/client.js";
import type { Filler } from "./fill-company.js";

/** Columns of a row that have to be filled, and those that refer to another row of the company. */
const COLUMNS = `
  SELECT a.attname AS column,
         (SELECT c.confrelid::regclass::text FROM pg_constraint c
           WHERE c.contype = 'f' AND c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey) LIMIT 1) AS parent
    FROM pg_attribute a
   WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attname NOT IN ('company_id', 'id')
     AND (a.attnotnull AND NOT a.atthasdef
          OR EXISTS (SELECT FROM pg_constraint c
                      WHERE c.contype = 'f' AND c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey)))`;

const VALUES: Readonly<Record<ColumnType, (name: string, n: number) => unknown>> = {
  Int: (_, n) => n + 1,
  BigInt: (_, n) => n + 1,
  Decimal: (_, n) => n + 1,
  Float: (_, n) => n + 1,
  String: (name, n) => `${name} ${n}`,
  Boolean: () => false,
  DateTime: () => new Date(),
  Json: () => ({}),
  Bytes: (_, n) => Buffer.from([n % 256]),
};

/**
 * Makes a filler of what the database knows of a model that has none of its own, so that a forgotten one is reported by one test
 * and breaks no other. Values may be such that the checks of the table refuse them.
 */
export async function derivedFiller(client: PrismaClient, model: ModelName): Promise<Filler> {
  const found = await client.$queryRawUnsafe<{ column: string; parent: string | null }[]>(
    COLUMNS,
    MODEL_FACTS[model].table,
  );
  const columns = [...(MODEL_TABLES.get(model)?.columns.values() ?? [])];
  return (pick, n) =>
    Object.fromEntries(
      found.map(({ column, parent }) => {
        const { field = column, type = "String" } = columns.find(({ name }) => name === column) ?? {};
        const referred = Object.entries(MODEL_FACTS).find(([, { table }]) => table === parent)?.[0];
        return [field, referred === undefined ? VALUES[type](field, n) : pick(referred as ModelName)];
      }),
    );
}
