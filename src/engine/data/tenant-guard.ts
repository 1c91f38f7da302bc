import type { PrismaClient } from "../../generated/prisma/client.js";
import { ownerField, TENANT_MODELS } from "../../core/scope/tenant-models.js";
import { knownTexts } from "./known-texts.js";
import { columnName, tableName } from "./model-tables.js";
import { TenantSqlError, tenantProblem } from "./sql-guard.js";

/** The guard remembers its verdict on this many texts. */
const MOST_VERDICTS = { texts: 5_000, characters: 4_000_000 };
const FINE = "";

/** Returns the reason why a statement may not run, `null` when it may. */
export type StatementGuard = (sql: string) => TenantSqlError | null;

/**
 * Returns a guard that judges each text once: it refuses a statement that reaches a tenant table without naming its
 * company, or a private one without naming the client to whom its rows belong.
 */
export function tenantGuard(client: PrismaClient): StatementGuard {
  const tables = tenantTables(client);
  const owners = ownerColumns(client);
  const verdicts = knownTexts<string>(MOST_VERDICTS);
  return (sql) => {
    let verdict = verdicts.get(sql);
    if (verdict === undefined) verdicts.set(sql, (verdict = tenantProblem(sql, tables, owners) ?? FINE));
    return verdict === FINE ? null : new TenantSqlError(`${verdict}: ${sql}`);
  };
}

/** Returns the names of the tables whose rows belong to a company. */
export function tenantTables(client: PrismaClient): ReadonlySet<string> {
  return new Set(TENANT_MODELS.map((model) => tableName(client, model)));
}

/** Returns the private tables, with the column that names whose a row is. */
function ownerColumns(client: PrismaClient): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const model of TENANT_MODELS) {
    const field = ownerField(model);
    if (field !== null) owners.set(tableName(client, model), columnName(client, model, field));
  }
  return owners;
}
