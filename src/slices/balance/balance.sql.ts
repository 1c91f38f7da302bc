import { type Sql, sql } from "../../core/db/sql.js";
import type { Caller } from "../../core/access/caller.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { BalanceHolder, HolderType, OrderRole } from "./balance.model.js";
import type { MovementType, StoredMovement } from "./movement.model.js";

/** One change of a balance, before it is posted. */
export interface Posting {
  readonly holderType: HolderType;
  readonly holderKey: number;
  readonly currencyIso: string;
  /** The amount in hundredths; a negative one lowers the balance. */
  readonly amountE2: bigint;
  readonly type: MovementType;
}

/** What all movements of one posting have in common. */
export interface PostingDetails {
  readonly description: string;
  /** The admin who causes it. */
  readonly authorId: number | null;
  /** The order that it is about. */
  readonly orderId: number | null;
  /** What makes the same request known when it comes again; `null` without an Idempotency-Key. */
  readonly identity: Buffer | null;
  readonly requestId: string | null;
  readonly actorKind: Caller["kind"];
  /** The account of the company that is the other side of one posting alone; `null`: the one of its kind. */
  readonly account: string | null;
}

/** What became of postings, see post-movements.function.sql. */
export type PostingOutcome =
  "posted" | "known" | "reused" | "deleted" | "reversed" | "floor" | "too_large" | "full";
export type ChangeOutcome =
  "no_order" | "canceled" | "no_client" | "no_payer" | "no_fee" | "fee_taken" | "too_much";
export type ReversalOutcome = "no_movement" | "is_reversal" | "incomplete" | "no_use";

/** A movement with the outcome; a refusal is one row without a movement. */
export interface PostedRow extends StoredMovement {
  readonly outcome: PostingOutcome | ChangeOutcome | ReversalOutcome;
  /** The balance of the holder that refuses the posting, where a holder does. */
  readonly refusedBalanceE2: bigint | null;
}

const POSTED = sql`
  p.outcome, p.refused_balance_e2 AS "refusedBalanceE2", (p.movement).company_id AS "companyId", (p.movement).id,
  (p.movement).holder_type AS "holderType", (p.movement).holder_key AS "holderKey",
  (p.movement).currency_iso AS "currencyIso", (p.movement).number, (p.movement).initial_balance_e2 AS "initialBalanceE2",
  (p.movement).amount_e2 AS "amountE2", (p.movement).final_balance_e2 AS "finalBalanceE2", (p.movement).type,
  (p.movement).description, (p.movement).is_deferred AS "isDeferred", (p.movement).author_id AS "authorId",
  (p.movement).related_type AS "relatedType", (p.movement).related_id AS "relatedId",
  (p.movement).transfer_id AS "transferId", (p.movement).counterpart_id AS "counterpartId",
  (p.movement).counterpart_final_e2 AS "counterpartFinalE2", (p.movement).reverses_id AS "reversesId",
  (p.movement).identity, (p.movement).request_id AS "requestId", (p.movement).actor_kind AS "actorKind",
  (p.movement).hash, (p.movement).created_at AS "createdAt"`;

/** Posts movements, in one statement: those of a transfer, or one alone, whose other side is an account of the company. */
export function insertMovements(
  scope: CompanyScope,
  postings: readonly Posting[],
  { orderId, ...details }: PostingDetails,
): Promise<PostedRow[]> {
  return orderId === null
    ? scope.rows<PostedRow>(sql`SELECT ${POSTED} FROM ${posted(scope, postings, details, NO_ORDER)}`, KEPT)
    : insertForOrder(scope, postings, details, orderId);
}

/** Posts movements that are about an order, which is neither deleted nor changed meanwhile. @returns no row where it is gone. */
function insertForOrder(
  scope: CompanyScope,
  postings: readonly Posting[],
  details: Omit<PostingDetails, "orderId">,
  orderId: number,
): Promise<PostedRow[]> {
  const posting = posted(scope, postings, details, sql`'order', o.id::bigint`);
  return scope.rows<PostedRow>(
    sql`
    SELECT ${POSTED} FROM (
      SELECT id FROM orders WHERE company_id = ${scope.companyId} AND id = ${orderId} FOR SHARE) AS o,
      ${posting}`,
    KEPT,
  );
}

const KEPT = { plan: "kept" } as const;
const NO_ORDER = sql`NULL::text, NULL::bigint`;

/** The postings, all or none. The moment is the database's. */
function posted(
  { companyId }: CompanyScope,
  postings: readonly Posting[],
  { description, authorId, identity, requestId, actorKind, account }: Omit<PostingDetails, "orderId">,
  related: Sql,
): Sql {
  return sql`post_movements(${companyId}::int, ${postings.map(({ holderType }) => holderType)}::text[],
      ${postings.map(({ holderKey }) => holderKey)}::int[], ${postings.map(({ currencyIso }) => currencyIso)}::text[],
      ${postings.map(({ amountE2 }) => amountE2)}::bigint[], ${postings.map(({ type }) => type)}::text[],
      array_fill(NULL::bigint, ARRAY[${postings.length}::int]), ${description}, ${authorId}::int, ${related},
      ${identity}::bytea, NULL, ${account}, ${requestId}, ${actorKind}) AS p`;
}

export interface WantedChange extends Omit<PostingDetails, "orderId" | "account"> {
  readonly amountE2: bigint;
  readonly currencyIso: string;
  readonly payer: OrderRole | null;
  readonly feeOf: OrderRole | null;
}

/** Gives change of an order under the order's lock, in one statement. */
export function insertChange(
  scope: CompanyScope,
  orderId: number,
  {
    amountE2,
    currencyIso,
    payer,
    feeOf,
    description,
    authorId,
    identity,
    requestId,
    actorKind,
  }: WantedChange,
): Promise<PostedRow[]> {
  const { companyId } = scope;
  return scope.rows<PostedRow>(
    sql`
    SELECT ${POSTED} FROM give_change(${companyId}::int, ${orderId}::int, ${amountE2}::bigint, ${currencyIso}, ${payer},
      ${feeOf}, ${description}, ${authorId}::int, ${identity}::bytea, NULL, ${requestId}, ${actorKind}) AS p`,
    { plan: "kept" },
  );
}

/** Takes a movement back, in one statement. */
export function insertReversal(
  scope: CompanyScope,
  id: bigint,
  { description, authorId, identity, requestId, actorKind }: Omit<PostingDetails, "orderId" | "account">,
): Promise<PostedRow[]> {
  const { companyId } = scope;
  return scope.rows<PostedRow>(
    sql`
    SELECT ${POSTED} FROM reverse_movement(${companyId}::int, ${id}::bigint, ${description}, ${authorId}::int,
      ${identity}::bytea, NULL, ${requestId}, ${actorKind}) AS p`,
    { plan: "kept" },
  );
}

/** Sets or removes the floor of a holder. */
export async function writeFloor(
  scope: CompanyScope,
  holder: { readonly type: HolderType; readonly key: number; readonly currencyIso: string },
  floorE2: bigint | null,
): Promise<BalanceHolder> {
  const { type, key, currencyIso } = holder;
  const rows = await scope.rows<BalanceHolder>(sql`
    SELECT company_id AS "companyId", type, key, currency_iso AS "currencyIso", balance_e2 AS "balanceE2",
           movement_count AS "movementCount", floor_e2 AS "floorE2"
      FROM set_balance_floor(${scope.companyId}::int, ${type}, ${key}::int, ${currencyIso}, ${floorE2}::bigint)`);
  return rows[0] as BalanceHolder;
}

/** Whether what a holder's type and key name exists in the company and is not deleted, or has a balance to settle. */
export async function holderExists(scope: CompanyScope, type: HolderType, key: number): Promise<boolean> {
  const { companyId } = scope;
  if (type === "company") return key === companyId;
  const rows = await scope.rows<{ found: number }>(sql`
    ${HOLDER_ROWS[type](companyId, key)}
     UNION ALL SELECT 1 FROM balance_holders WHERE company_id = ${companyId} AND type = ${type} AND key = ${key} AND balance_e2 <> 0
     LIMIT 1`);
  return rows.length > 0;
}

const HOLDER_ROWS: Readonly<Record<Exclude<HolderType, "company">, (companyId: number, key: number) => Sql>> =
  {
    account: (companyId, key) =>
      sql`SELECT 1 AS found FROM admins WHERE company_id = ${companyId} AND account_id = ${key} AND deleted_at IS NULL`,
    client: (companyId, key) =>
      sql`SELECT 1 AS found FROM clients WHERE company_id = ${companyId} AND id = ${key} AND deleted_at IS NULL`,
    provider: (companyId, key) =>
      sql`SELECT 1 AS found FROM providers WHERE company_id = ${companyId} AND id = ${key}`,
    branch: (companyId, key) =>
      sql`SELECT 1 AS found FROM branches WHERE company_id = ${companyId} AND id = ${key}`,
    city: (companyId, key) =>
      sql`SELECT 1 AS found FROM cities WHERE company_id = ${companyId} AND id = ${key}`,
  };

/** Ids of the clients with an e-mail address, in any case; two at most. */
export async function clientsByEmail(scope: CompanyScope, email: string): Promise<number[]> {
  const rows = await scope.rows<{ id: number }>(sql`
    SELECT id FROM clients
     WHERE company_id = ${scope.companyId} AND lower(email) = lower(${email}) AND deleted_at IS NULL
     ORDER BY id LIMIT 2`);
  return rows.map(({ id }) => id);
}
