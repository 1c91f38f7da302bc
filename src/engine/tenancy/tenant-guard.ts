import { TENANT_MODELS } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { knownTexts } from "../reads/known-texts.js";
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
export function tenantGuard(): StatementGuard {
  const tables = tenantTables();
  const owners = ownerColumns();
  const verdicts = knownTexts<string>(MOST_VERDICTS);
  return (sql) => {
    let verdict = verdicts.get(sql);
    if (verdict === undefined) verdicts.set(sql, (verdict = tenantProblem(sql, tables, owners) ?? FINE));
    return verdict === FINE ? null : new TenantSqlError(`${verdict}: ${sql}`);
  };
}

/** Returns the names of the tables whose rows belong to a company. */
export function tenantTables(): ReadonlySet<string> {
  return new Set(TENANT_MODELS.map((model) => MODEL_FACTS[model].table));
}

/** Returns the private tables, with the column that names whose a row is. */
function ownerColumns(): ReadonlyMap<string, string> {
  const owners = Object.values(MODEL_FACTS).flatMap(({ table, owner }) =>
    owner === null ? [] : [[table, owner.column] as const],
  );
  return new Map(owners);
}
