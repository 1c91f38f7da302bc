import type { Caller } from "../../core/access/caller.js";
import type { ShopBounds } from "../../core/access/role-directory.js";
import { Quotas } from "../../core/quotas/quota.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { CompanyFacts, CompanyScope, WholeCompany } from "../../core/scope/company-scope.js";
import type { ScopeRuntime } from "../../core/scope/runtime-part.js";
import type { Db } from "../../core/db/db.js";
import { sql } from "../../core/db/sql.js";
import { mapInSlices } from "../limits/loop-slices.js";
import { conditionSql } from "../reads/condition-sql.js";
import { ownerIn } from "./private-rows.js";
import type { ReadMeter } from "../limits/read-meter.js";
import { boundedDb, isTransaction, queryRows, wholeDb } from "./bounded-db.js";
import { boundIn, valuesOf, type Bound } from "./bound-operations.js";
import { reachedIn, writtenIn } from "./bound-statement.js";

export interface ScopeOptions {
  /** The columns that the document needs of each model; all of them unless it is given. */
  readonly selected?: CompanyScope["selected"];
  /** What the scope shares with others; not given where no caller is answered. */
  readonly runtime?: ScopeRuntime & Pick<Runtime, "quotas">;
  /** Counts the rows of lists; without it nobody does. */
  readonly meter?: ReadMeter;
  /** The shops and branches that the caller reaches; all unless it is given. */
  readonly bounds?: ShopBounds | null;
  /** Is called at the beginning of each transaction. */
  readonly begin?: (transaction: Db) => Promise<void>;
  /** What `takeIdentity` gives; nothing unless it is set. */
  readonly takeIdentity?: CompanyScope["takeIdentity"];
  /** The id of the request; not given where no caller is answered. */
  readonly requestId?: string;
}

/** Stands in where no caller adds anything. */
const NO_QUOTAS = new Quotas([]);

/** Creates the scope of one company on this database. Only the engine calls it: slices get their scope. */
export function createCompanyScope(
  client: Db,
  company: CompanyFacts,
  caller: Caller,
  at: Date,
  options: ScopeOptions = {},
): CompanyScope {
  const { selected = () => null, runtime, meter, begin, takeIdentity = () => null, requestId } = options;
  const owner = ownerIn(company.id, caller);
  const bound = boundIn(company.id, caller, options.bounds ?? null);
  const db = boundedDb(client, {
    companyId: company.id,
    owner,
    bound,
    ...(meter !== undefined && { meter }),
  });
  const wholeOf = (own: Db): WholeCompany => {
    const all = bound === null ? own : wholeDb(own, { companyId: company.id, owner });
    return {
      companyId: company.id,
      db: all,
      rows: (statement, options) => queryRows(all, statement, options),
    };
  };
  const scope: CompanyScope = {
    companyId: company.id,
    company,
    caller,
    at,
    selected,
    db,
    whole: wholeOf(db),
    ...reachOf(bound),
    rows: (statement, options) => queryRows(db, statement, options),
    condition: (model, where) => conditionSql(model, where),
    runtime: runtime ?? null,
    quotas: runtime?.quotas ?? NO_QUOTAS,
    takeIdentity,
    requestId: requestId ?? null,
    mapInSlices: (items, work) => mapInSlices(meter?.user ?? null, items, work),
    transaction: (work) =>
      db.$transaction(async (tx) => {
        await begin?.(tx);
        return work(nested({ ...scope, db: tx, whole: wholeOf(tx) }));
      }),
  };
  return isTransaction(client) ? nested(scope) : scope;
}

/** What a caller reads and writes of a company's rows, for statements on all of them. */
export function reachOf(bound: Bound | null): Pick<CompanyScope, "isBound" | "reached" | "written"> {
  if (bound === null) return { isBound: false, reached: () => sql`true`, written: () => sql`true` };
  const values = valuesOf(bound);
  return {
    isBound: true,
    reached: (model, alias, kinds) => reachedIn(model, alias, values, kinds),
    written: (model, alias) => writtenIn(model, alias, values),
  };
}

/** The scope within a transaction, of which further transactions are parts. */
function nested(scope: CompanyScope): CompanyScope {
  const inside: CompanyScope = {
    ...scope,
    rows: (statement) => queryRows(scope.db, statement),
    // Others wait for the rows that it has locked.
    mapInSlices: async (items, work) => Promise.resolve(items.map(work)),
    transaction: (work) => work(inside),
  };
  return inside;
}
