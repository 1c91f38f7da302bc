import { answerableAdmin } from "../../core/access/caller.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type Sql, sql } from "../../core/db/sql.js";
import type { BalanceHolder } from "./balance.model.js";
import { namesOf, type HolderName } from "./holder-names.loaders.js";

export interface HolderRow extends BalanceHolder, HolderName {}

/** A place in the order of holders. */
export type HolderPlace = readonly [type: string, kind: string, number: number, currencyIso: string];

export interface HolderQuery {
  /** Before which moment; `null` for now. */
  readonly moment: Date | null;
  /** Conditions on the type and the currency of a holder `w`. */
  readonly conditions: readonly Sql[];
  /** Conditions on its balance. */
  readonly balances: readonly Sql[];
  /** What the name has to contain. */
  readonly q: string | null;
  readonly after: HolderPlace | null;
  readonly limit: number;
}

const IN_ORDER = sql`type COLLATE "C", kind COLLATE "C", number, currency_iso COLLATE "C"`;

/** Holders of a company, chosen by what never changes of them: lanes of an account of the company together, and every other one. */
function wholeHolders(companyId: number, { conditions, after }: HolderQuery): Sql {
  const beyond =
    after === null
      ? []
      : [
          sql`(w.type COLLATE "C", w.kind COLLATE "C", w.number, w.currency_iso COLLATE "C") > (${after[0]}, ${after[1]}, ${after[2]}::int, ${after[3]})`,
        ];
  return sql`
    SELECT w.* FROM (
      SELECT h.type, CASE WHEN h.key < 0 THEN 'own' ELSE h.type END AS kind, CASE WHEN h.key < 0 THEN -h.key / 64 ELSE h.key END AS number,
             min(h.key) AS low, max(h.key) AS key, h.currency_iso, sum(h.balance_e2)::bigint AS balance_e2,
             sum(h.movement_count)::int AS movements, max(h.floor_e2) AS floor_e2
        FROM balance_holders h WHERE h.company_id = ${companyId}
       GROUP BY 1, 2, 3, h.currency_iso) AS w
     WHERE ${sql.join([sql`true`, ...conditions, ...beyond], " AND ")}`;
}

/**
 * Holders as they were before a moment: the last movement of each lane before it has the balance then. The fence keeps the order, so
 * that holders are looked at up to the end of the page alone.
 */
const holdersBefore = (companyId: number, holders: Sql, moment: Date): Sql => sql`
  SELECT w.type, w.kind, w.number, w.key, w.currency_iso, b.balance_e2, b.movements, w.floor_e2
    FROM (${holders} ORDER BY ${IN_ORDER} OFFSET 0) AS w
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(m.final_balance_e2), 0)::bigint AS balance_e2, coalesce(sum(m.number), 0)::int AS movements
       FROM balance_holders l
      CROSS JOIN LATERAL (
        SELECT m.final_balance_e2, m.number FROM balance_movements m
         WHERE m.company_id = ${companyId} AND m.holder_type = l.type AND m.holder_key = l.key AND m.currency_iso = l.currency_iso
           AND m.created_at < ${moment}::timestamptz
         ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS m
      WHERE l.company_id = ${companyId} AND l.type = w.type AND l.key BETWEEN w.low AND w.key AND l.currency_iso = w.currency_iso) AS b`;

const named = (companyId: number, holders: Sql): Sql => sql`
  SELECT w.*, n.name, n.is_deleted, n.account
    FROM (${holders}) AS w
    LEFT JOIN LATERAL (
      SELECT x.* FROM (SELECT w.kind AS type, w.number AS key) AS h CROSS JOIN LATERAL (${namesOf(companyId)}) AS x) AS n ON true`;

function chosenHolders(companyId: number, query: HolderQuery): Sql {
  const { moment, balances } = query;
  const whole = wholeHolders(companyId, query);
  const holders = moment === null ? whole : holdersBefore(companyId, whole, moment);
  const conditions = [sql`(w.movements > 0 OR w.floor_e2 IS NOT NULL)`, ...balances];
  return sql`SELECT w.* FROM (${holders}) AS w WHERE ${sql.join(conditions, " AND ")}`;
}

const contains = (q: string): Sql => sql`strpos(folded(coalesce(c.name, '')), folded(${q})) > 0`;

/** Holders of a company with their names, in the order of type, key and currency. */
export function findHolders(
  scope: CompanyScope,
  query: HolderQuery,
): Promise<(HolderRow & { kind: string; number: number })[]> {
  const { companyId } = scope;
  const chosen = chosenHolders(companyId, query);
  // Names are read of the page alone, unless they decide what is on it.
  const page =
    query.q === null
      ? named(companyId, sql`${chosen} ORDER BY ${IN_ORDER} LIMIT ${query.limit}`)
      : sql`SELECT c.* FROM (${named(companyId, chosen)}) AS c WHERE ${contains(query.q)} ORDER BY ${IN_ORDER} LIMIT ${query.limit}`;
  return scope.rows(
    sql`
    SELECT ${companyId}::int AS "companyId", p.type, p.key, p.kind, p.number, p.currency_iso AS "currencyIso",
           p.balance_e2 AS "balanceE2", p.movements AS "movementCount", p.floor_e2 AS "floorE2", p.name,
           coalesce(p.is_deleted, true) AS "isDeleted", p.account
      FROM (${page}) AS p ORDER BY ${IN_ORDER}`,
    { plan: "each" },
  );
}

/** How many holders there are. */
export async function countHolders(scope: CompanyScope, query: HolderQuery): Promise<number> {
  const chosen = chosenHolders(scope.companyId, { ...query, after: null });
  const rows = await scope.rows<{ count: number }>(
    query.q === null
      ? sql`SELECT count(*)::int AS count FROM (${chosen}) AS c`
      : sql`SELECT count(*)::int AS count FROM (${named(scope.companyId, chosen)}) AS c WHERE ${contains(query.q)}`,
    { plan: "each" },
  );
  return rows[0]?.count ?? 0;
}

/** What became of a closing, see close-balance-period.function.sql. */
export interface ClosedPeriod {
  readonly outcome: "closed" | "not_past" | "not_later" | "busy";
  readonly id: number;
  readonly until: Date;
  readonly adminId: number | null;
  readonly createdAt: Date;
}

/** Closes the books of a company up to a moment, when nothing before it can be committed any more. */
export async function closePeriod(scope: CompanyScope, until: Date): Promise<ClosedPeriod> {
  const { companyId, caller } = scope;
  const admin = answerableAdmin(caller);
  const rows = await scope.rows<ClosedPeriod>(sql`
    SELECT outcome, ${companyId}::int AS "companyId", id, until, admin_id AS "adminId", created_at AS "createdAt"
      FROM close_balance_period(${companyId}::int, ${until}::timestamptz, ${admin}::int, interval '8 seconds')`);
  return rows[0] as ClosedPeriod;
}

export interface SummedCards {
  readonly couponId: number;
  readonly name: string;
  readonly issued: string;
  readonly redeemed: string;
}

/** No transaction takes longer: a use is as old as its request, and its movement as the locks that were waited for. */
const LONGEST_TRANSACTION = sql`interval '1 hour'`;

/**
 * Sums the gift cards of a company in one currency before a moment, by coupon, deleted ones too: a code is owed since its coupon was set
 * ready, until it is voided, or until the movement of its use. A coupon that was set ready before its currency was kept has the company's.
 */
export function sumGiftCards(
  { companyId, company, rows }: CompanyScope,
  currencyIso: string,
  moment: Date,
): Promise<SummedCards[]> {
  return rows<SummedCards>(sql`
    SELECT c.id AS "couponId", c.name, (k.codes::numeric * c.price_e2)::text AS issued, coalesce(u.redeemed, 0)::text AS redeemed
      FROM coupons c
     CROSS JOIN LATERAL (
       SELECT count(*) AS codes FROM coupon_codes k
        WHERE k.company_id = ${companyId} AND k.coupon_id = c.id AND k.created_at < ${moment}::timestamptz
          AND (k.voided_at IS NULL OR k.voided_at >= ${moment}::timestamptz)) AS k
     CROSS JOIN LATERAL (
       SELECT sum(r.amount_e2) AS redeemed FROM coupon_redemptions r
        WHERE r.company_id = ${companyId} AND r.coupon_id = c.id AND r.created_at < ${moment}::timestamptz
          AND (r.returned_at IS NULL OR r.returned_at >= ${moment}::timestamptz)
          AND (r.created_at < ${moment}::timestamptz - ${LONGEST_TRANSACTION} OR NOT EXISTS (
                SELECT FROM balance_movements m
                 WHERE m.company_id = ${companyId} AND m.id = r.movement_id AND m.created_at >= ${moment}::timestamptz))) AS u
     WHERE c.company_id = ${companyId} AND c.type = 'gift_card' AND k.codes > 0
       AND c.status <> 'pending' AND (c.ready_at IS NULL OR c.ready_at < ${moment}::timestamptz)
       AND coalesce(c.currency_iso, ${company.currencyIso}) = ${currencyIso}
     ORDER BY c.id`);
}

/** The line of a holder in the root hash of a ledger. */
export const HEAD_LINE = sql`concat(h.type, ' ', h.key, ' ', h.currency_iso, ' ', h.movement_count, ' ', encode(h.last_hash, 'hex'), E'\\n')`;

/** Hashes the ends of all chains of a company together. */
export async function readLedgerHead({
  companyId,
  rows,
}: CompanyScope): Promise<{ movementCount: bigint; rootHash: string }> {
  const [head] = await rows<{ movementCount: bigint; rootHash: string }>(sql`
    SELECT coalesce(sum(h.movement_count), 0)::bigint AS "movementCount",
           encode(sha256(convert_to(coalesce(string_agg(${HEAD_LINE}, '' ORDER BY h.type COLLATE "C", h.key, h.currency_iso COLLATE "C"), ''), 'UTF8')), 'hex')
             AS "rootHash"
      FROM balance_holders h WHERE h.company_id = ${companyId} AND h.movement_count > 0`);
  return head as { movementCount: bigint; rootHash: string };
}
