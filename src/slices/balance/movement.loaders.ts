import DataLoader from "dataloader";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { sql } from "../../core/db/sql.js";
import { batched } from "../../core/relations/batched.js";
import { accountOfLane, isLane, lanesOf } from "./account.rules.js";
import type { BalanceHolder, HolderType } from "./balance.model.js";
import { CHAINED_COLUMNS, hashedText } from "./movement-chain.rules.js";
import type { MovementProof, StoredMovement } from "./movement.model.js";

/** Movements by their ids. */
const movementOf = batched<StoredMovement>(async ({ db, companyId }, ids) => {
  const rows = await db.balanceMovement.findMany({
    where: { companyId, id: { in: ids.map((id) => BigInt(id)) } },
  });
  return new Map(rows.map((row) => [Number(row.id), row as unknown as StoredMovement]));
});

/** Ids of the sides that movements from before all had counterparts got later, by the ids of these. */
const completionOf = batched<bigint>(async ({ db, companyId }, ids) => {
  const rows = await db.balanceMovement.findMany({
    where: { companyId, counterpartId: { in: ids.map((id) => BigInt(id)) }, actorKind: "completion" },
    select: { id: true, counterpartId: true },
  });
  return new Map(rows.map(({ id, counterpartId }) => [Number(counterpartId), id]));
});

/** The id of a movement's other side; `null` when it has none yet. */
export async function counterpartIdOf(
  scope: CompanyScope,
  { id, counterpartId }: StoredMovement,
): Promise<bigint | null> {
  return counterpartId ?? (await completionOf(scope, Number(id)));
}

/** A movement's other side; `null` when it has none yet. */
export async function counterpartOf(
  scope: CompanyScope,
  movement: StoredMovement,
): Promise<StoredMovement | null> {
  const id = await counterpartIdOf(scope, movement);
  return id === null ? null : movementOf(scope, Number(id));
}

/** The texts of the hashed fields of movements with the hashes before them, by ids. */
const hashedOf = batched<readonly string[]>(async ({ companyId, rows }, ids) => {
  const found = await rows<{ id: number; row: string[]; previous: string | null }>(sql`
    SELECT m.id::float8 AS id, ARRAY[${sql.raw(CHAINED_COLUMNS.join(", "))}] AS row, (
             SELECT encode(p.hash, 'hex') FROM balance_movements p
              WHERE p.company_id = ${companyId} AND p.holder_type = m.holder_type AND p.holder_key = m.holder_key
                AND p.currency_iso = m.currency_iso AND p.number = m.number - 1) AS previous
      FROM balance_movements m WHERE m.company_id = ${companyId} AND m.id = ANY (${ids.map((id) => BigInt(id))}::bigint[])`);
  return new Map(found.map(({ id, row, previous }) => [id, [previous ?? "", ...row]]));
});

/** What the hash of a movement is made of. */
export async function proofOf(scope: CompanyScope, { id, hash }: StoredMovement): Promise<MovementProof> {
  const [previous = "", ...row] = (await hashedOf(scope, Number(id))) ?? [];
  return {
    previousHash: previous === "" ? null : previous,
    text: hashedText(row),
    hash: Buffer.from(hash).toString("hex"),
  };
}

interface Lane {
  readonly type: HolderType;
  readonly key: number;
  readonly currencyIso: string;
}

const holders = new WeakMap<CompanyScope, DataLoader<Lane, BalanceHolder | null, string>>();

/** The holder of a stored key, with all lanes when it is an account of the company. */
export function holderOfLane(scope: CompanyScope, lane: Lane): Promise<BalanceHolder | null> {
  let loader = holders.get(scope);
  if (loader === undefined) {
    loader = new DataLoader<Lane, BalanceHolder | null, string>((lanes) => readHolders(scope, lanes), {
      cache: false,
      cacheKeyFn: ({ type, key, currencyIso }) => `${type} ${key} ${currencyIso}`,
    });
    holders.set(scope, loader);
  }
  return loader.load(lane);
}

async function readHolders(
  { companyId, rows }: CompanyScope,
  lanes: readonly Lane[],
): Promise<(BalanceHolder | null)[]> {
  const ranges = lanes.map(({ key }) => (isLane(key) ? lanesOf(accountOfLane(key)) : { gte: key, lte: key }));
  const found = await rows<BalanceHolder & { readonly place: number }>(sql`
    SELECT w.place::int AS place, ${companyId}::int AS "companyId", w.type, max(h.key) AS key, w.currency AS "currencyIso",
           sum(h.balance_e2)::bigint AS "balanceE2", sum(h.movement_count)::int AS "movementCount", max(h.floor_e2) AS "floorE2"
      FROM unnest(${lanes.map(({ type }) => type)}::text[], ${ranges.map(({ gte }) => gte)}::int[],
                  ${ranges.map(({ lte }) => lte)}::int[], ${lanes.map(({ currencyIso }) => currencyIso)}::text[])
           WITH ORDINALITY AS w(type, low, high, currency, place)
      JOIN balance_holders h ON h.company_id = ${companyId} AND h.type = w.type AND h.key BETWEEN w.low AND w.high
           AND h.currency_iso = w.currency
     GROUP BY w.place, w.type, w.currency`);
  const byPlace = new Map(found.map((row) => [row.place, row]));
  return lanes.map((_, index) => byPlace.get(index + 1) ?? null);
}
