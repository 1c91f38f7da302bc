import type { PrismaClient } from "../../generated/prisma/client.js";
import type { Caller } from "../access/caller.js";
import { scopedClient, type Db } from "../../engine/data/scoped-client.js";
import type { ModelName } from "./tenant-models.js";

/** What every operation needs to know of its company. */
export interface CompanyFacts {
  readonly id: number;
  /** Offset such as `-04:00`, for times without an offset of their own. */
  readonly timeZoneOffset: string;
  readonly currencyIso: string;
}

/** One company, as one caller sees it at one moment: the first parameter of every service function. */
export interface CompanyScope {
  readonly companyId: number;
  readonly company: CompanyFacts;
  readonly db: Db;
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /**
   * Columns that the document needs of rows of the model, as Prisma's `select`, `null` for all: for reads whose rows
   * are answered as they are.
   */
  selected(model: ModelName): Readonly<Record<string, true>> | null;
  /** Runs `work` in one short transaction; inside a transaction, in that one. */
  transaction<T>(work: (scope: CompanyScope) => Promise<T>): Promise<T>;
}

export function createCompanyScope(
  client: PrismaClient,
  company: CompanyFacts,
  caller: Caller,
  at: Date,
  selected: CompanyScope["selected"] = () => null,
): CompanyScope {
  const db = scopedClient(client, company.id);
  const base = { companyId: company.id, company, caller, at, selected };
  return {
    ...base,
    db,
    transaction: (work) => db.$transaction((tx) => work(nested({ ...base, db: tx }))),
  };
}

function nested(scope: Omit<CompanyScope, "transaction">): CompanyScope {
  const inside: CompanyScope = { ...scope, transaction: (work) => work(inside) };
  return inside;
}
