import DataLoader from "dataloader";
import { type Sql, sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { accountOfLane, isLane } from "./account.rules.js";
import type { HolderType } from "./balance.model.js";

/** What a holder is called, and whether it is deleted. */
export interface HolderName {
  readonly name: string;
  readonly isDeleted: boolean;
  /** The name of an account of the company; `null` of other holders. */
  readonly account: string | null;
}

interface Holder {
  readonly type: HolderType;
  readonly key: number;
}

const loaders = new WeakMap<CompanyScope, DataLoader<Holder, HolderName | null, string>>();

/** The name of a holder, by its stored key; what is asked for at once is read together. */
export function nameOfHolder(scope: CompanyScope, holder: Holder): Promise<HolderName | null> {
  let loader = loaders.get(scope);
  if (loader === undefined) {
    loader = new DataLoader<Holder, HolderName | null, string>((holders) => readNames(scope, holders), {
      cache: false,
      cacheKeyFn: ({ type, key }) => `${type} ${key}`,
    });
    loaders.set(scope, loader);
  }
  return loader.load(holder);
}

async function readNames(scope: CompanyScope, holders: readonly Holder[]): Promise<(HolderName | null)[]> {
  const types = holders.map(({ type, key }) => (isLane(key) ? "own" : type));
  const keys = holders.map(({ key }) => (isLane(key) ? accountOfLane(key) : key));
  const rows = await scope.rows<HolderName & { readonly place: number }>(sql`
    SELECT h.place::int AS place, n.name, n.is_deleted AS "isDeleted", n.account
      FROM unnest(${types}::text[], ${keys}::int[]) WITH ORDINALITY AS h(type, key, place)
     CROSS JOIN LATERAL (${namesOf(scope.companyId)}) AS n`);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return holders.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** The name of the holder `h`, whose type is `own` for an account of the company, by its number. */
export const namesOf = (companyId: number): Sql => sql`
  SELECT a.name, false AS is_deleted, a.name AS account FROM balance_accounts a
   WHERE h.type = 'own' AND a.company_id = ${companyId} AND a.id = h.key
  UNION ALL (
    SELECT a.name, a.deleted_at IS NOT NULL, NULL FROM admins a
     WHERE h.type = 'account' AND a.company_id = ${companyId} AND a.account_id = h.key ORDER BY a.deleted_at NULLS FIRST, a.id LIMIT 1)
  UNION ALL
  SELECT c.name, c.deleted_at IS NOT NULL, NULL FROM clients c
   WHERE h.type = 'client' AND c.company_id = ${companyId} AND c.id = h.key
  UNION ALL
  SELECT p.name, false, NULL FROM providers p WHERE h.type = 'provider' AND p.company_id = ${companyId} AND p.id = h.key
  UNION ALL
  SELECT b.name, false, NULL FROM branches b WHERE h.type = 'branch' AND b.company_id = ${companyId} AND b.id = h.key
  UNION ALL
  SELECT y.name, false, NULL FROM cities y WHERE h.type = 'city' AND y.company_id = ${companyId} AND y.id = h.key
  UNION ALL
  SELECT o.name, o.deleted_at IS NOT NULL, NULL FROM companies o WHERE h.type = 'company' AND o.id = ${companyId} AND o.id = h.key`;
