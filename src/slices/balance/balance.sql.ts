import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Movement } from "./movement.js";

/** The fields of a movement that posting sets. */
export interface PostedMovement {
  readonly id: bigint;
  /** Number of the movement among the holder's, from 1. */
  readonly number: number;
  readonly initialBalanceE2: bigint;
  readonly amountE2: bigint;
  readonly finalBalanceE2: bigint;
}

/** Posts a movement. @returns `null` when the balance would leave 53 bits. */
export async function insertMovement(
  { db, companyId, at }: CompanyScope,
  movement: Movement,
): Promise<PostedMovement | null> {
  const { holderType, holderKey, currencyIso, amountE2, type, description, authorId } = movement;
  const rows = await db.$queryRaw<PostedMovement[]>`
    SELECT id, number, initial_balance_e2 AS "initialBalanceE2", amount_e2 AS "amountE2", final_balance_e2 AS "finalBalanceE2"
      FROM post_movement(${companyId}::int, ${holderType}, ${holderKey}::int, ${currencyIso}, ${amountE2}::bigint, ${type},
        ${description}, ${authorId}::int, ${movement.relatedType}, ${movement.relatedId}::bigint, ${at})`;
  return rows[0] ?? null;
}
