import type { Caller } from "../../core/access/caller.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { CompanyFacts, CompanyScope } from "../../core/scope/company-scope.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import { queryRows } from "./query-rows.js";
import type { ReadMeter } from "./read-meter.js";
import { scopedClient } from "./scoped-client.js";
import { withMeter } from "./simple-reads.js";

export interface ScopeOptions {
  /** The columns that the document needs of each model; all of them unless it is given. */
  readonly selected?: CompanyScope["selected"];
  /** Where coupon codes are counted and files are stored; not given where no caller sends any. */
  readonly runtime?: Pick<Runtime, "files" | "guesses" | "roles">;
  /** Counts the rows of lists; without it nobody does. */
  readonly meter?: ReadMeter;
}

/** Creates the scope of one company on this database. Only the engine calls it: slices get their scope. */
export function createCompanyScope(
  client: PrismaClient,
  company: CompanyFacts,
  caller: Caller,
  at: Date,
  { selected = () => null, runtime, meter }: ScopeOptions = {},
): CompanyScope {
  const db = scopedClient(client, company.id);
  const scope: CompanyScope = {
    companyId: company.id,
    company,
    caller,
    at,
    selected,
    db: meter === undefined ? db : withMeter(db, meter),
    rows: (statement) =>
      meter === undefined ? queryRows(db, statement) : meter.inTurn(() => queryRows(db, statement, meter)),
    judgeCode: (isKnown) => runtime?.guesses.judge(caller, isKnown, { at, roles: runtime.roles }),
    storePicture: ({ picture }) => {
      if (runtime === undefined || picture === null) throw new Error("the guard has not seen the picture");
      return runtime.files.storePicture(company.id, picture);
    },
    transaction: (work) => db.$transaction((tx) => work(nested({ ...scope, db: tx }))),
  };
  return scope;
}

function nested(scope: CompanyScope): CompanyScope {
  const inside: CompanyScope = {
    ...scope,
    rows: (statement) => queryRows(scope.db, statement),
    transaction: (work) => work(inside),
  };
  return inside;
}
