import {
  DomainError,
  forbidden,
  invalidField,
  notFound,
  unavailable,
  validationFailed,
} from "../../core/errors/domain-error.js";
import { answerableAdmin } from "../../core/access/caller.js";
import { formatAmount } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type {
  AdjustBalanceInput,
  GiveChangeInput,
  ReverseMovementInput,
  SetBalanceFloorInput,
  SetBalanceTypeFloorInput,
  TransferBalanceInput,
} from "./balance.inputs.js";
import type { BalanceHolder, BalanceTypeFloor, OrderRole } from "./balance.model.js";
import { noFee, noPayer } from "./balance.rule.js";
import {
  insertChange,
  insertMovements,
  insertReversal,
  writeFloor,
  type PostedRow,
  type Posting,
  type PostingDetails,
} from "./balance.sql.js";
import { heldCurrency } from "./held-currency.service.js";
import type { StoredMovement } from "./movement.model.js";
import { findTransferTarget } from "./transfer-target.service.js";

/**
 * Corrects the balance of a holder that exists; an account of the company is the other side.
 *
 * @param mayRead whether the caller may read balances, which an adjustment by 0 does without a trace in the balance.
 * @throws DomainError INVALID_STATE below the holder's floor, or when the balance would leave 53 bits; FORBIDDEN.
 */
export async function adjustBalance(
  scope: CompanyScope,
  { type, key, currencyIso, amountE2, description, account }: AdjustBalanceInput,
  mayRead: boolean,
): Promise<StoredMovement> {
  if (amountE2 === 0 && !mayRead)
    throw forbidden("An adjustment by 0 reads a balance, which needs access_balance.");
  const posting: Posting = {
    holderType: type,
    holderKey: key,
    currencyIso: await heldCurrency(scope, { type, key }, currencyIso),
    amountE2: BigInt(amountE2),
    type: "adjustment",
  };
  return first(await post(scope, [posting], { description, orderId: null, account: account ?? null }));
}

/**
 * Transfers an amount from one holder to another, for an order: both sides or none.
 *
 * @returns the side that it comes from.
 * @throws DomainError NOT_FOUND, VALIDATION_FAILED, INVALID_STATE as `adjustBalance`.
 */
export async function transferBalance(
  scope: CompanyScope,
  orderId: number,
  input: TransferBalanceInput,
): Promise<StoredMovement> {
  const { db, companyId } = scope;
  const order = await db.order.findFirst({ where: { companyId, id: orderId }, select: { clientId: true } });
  if (order === null) throw notFound("Order");
  const target = await findTransferTarget(scope, input, order);
  if ("error" in target) throw validationFailed([target.error]);
  const currencyIso = await heldCurrency(scope, { type: input.type, key: input.key }, input.currencyIso);
  const side = { currencyIso, type: "transfer" } as const;
  const amountE2 = BigInt(input.amountE2);
  const postings: Posting[] = [
    { ...side, holderType: input.type, holderKey: input.key, amountE2: -amountE2 },
    { ...side, holderType: target.type, holderKey: target.key, amountE2 },
  ];
  const [movement] = await post(scope, postings, { description: input.description, orderId });
  if (movement === undefined) throw notFound("Order");
  return movement;
}

/**
 * Gives the client of an order change, and takes a provider's fee back when that is asked for, once for each order and role.
 *
 * @returns the side of the client.
 * @throws DomainError NOT_FOUND, VALIDATION_FAILED for a provider or fee that the order does not have, INVALID_STATE.
 */
export async function giveChange(
  scope: CompanyScope,
  orderId: number,
  { amountE2, currencyIso, description, isAffectingProvider, removeProviderFee }: GiveChangeInput,
): Promise<StoredMovement> {
  const rows = await insertChange(scope, orderId, {
    amountE2: BigInt(amountE2),
    currencyIso: currencyIso ?? scope.company.currencyIso,
    payer: isAffectingProvider ?? null,
    feeOf: removeProviderFee ?? null,
    ...detailsOf(scope, description),
  });
  const [{ outcome } = { outcome: "no_order" }] = rows;
  switch (outcome) {
    case "no_order":
      throw notFound("Order");
    case "no_payer":
      throw validationFailed([noPayer(isAffectingProvider as OrderRole)]);
    case "no_fee":
      throw validationFailed([noFee(removeProviderFee as OrderRole)]);
    case "no_client":
      throw new DomainError("INVALID_STATE", "The order has no client who could get change.");
    case "canceled":
      throw new DomainError("INVALID_STATE", "A canceled order gives no change.");
    case "too_much":
      throw new DomainError(
        "INVALID_STATE",
        "An order that is not paid gives no more change than its total, and none in another currency than its own.",
      );
    case "fee_taken":
      throw new DomainError("INVALID_STATE", `The fee of the ${removeProviderFee} was taken back already.`);
    default:
      return first(assertPosted(rows));
  }
}

/**
 * Takes a movement back by a new one, once; of a transfer both sides.
 *
 * @returns the movement that takes this one back.
 * @throws DomainError NOT_FOUND; INVALID_STATE for a reversal, a movement that is reversed already, a gift card whose code
 *   nobody knows, and as `adjustBalance`.
 */
export async function reverseMovement(
  scope: CompanyScope,
  id: number | bigint,
  { description }: ReverseMovementInput,
): Promise<StoredMovement> {
  const rows = await insertReversal(scope, BigInt(id), detailsOf(scope, description));
  const [{ outcome } = { outcome: "no_movement" }] = rows;
  if (outcome === "no_movement") throw notFound("BalanceMovement");
  if (outcome === "incomplete")
    throw unavailable("The counterparts of movements of old are being written.", { retryAfterSeconds: 60 });
  if (outcome === "is_reversal") throw new DomainError("INVALID_STATE", "A reversal is not reversed itself.");
  if (outcome === "no_use")
    throw new DomainError(
      "INVALID_STATE",
      "Nothing says which code this movement redeemed, so it cannot be given back: adjust the balance instead.",
    );
  return first(assertPosted(rows));
}

/** Sets the floor of a holder that exists, or removes it; the balance may be below it already. */
export async function setBalanceFloor(
  scope: CompanyScope,
  { type, key, currencyIso, floorE2 }: SetBalanceFloorInput,
): Promise<BalanceHolder> {
  const holder = { type, key, currencyIso: await heldCurrency(scope, { type, key }, currencyIso) };
  return writeFloor(scope, holder, floorE2 == null ? null : BigInt(floorE2));
}

/** Sets the floor of all holders of a type in one currency, or removes it. */
export async function setBalanceTypeFloor(
  { db, companyId, company }: CompanyScope,
  { type, currencyIso: currency, floorE2 }: SetBalanceTypeFloorInput,
): Promise<BalanceTypeFloor> {
  const floor = { companyId, type, currencyIso: currency ?? company.currencyIso };
  if (floorE2 == null) {
    await db.balanceTypeFloor.deleteMany({ where: floor });
    return { ...floor, floorE2: null };
  }
  const value = { floorE2: BigInt(floorE2) };
  await db.balanceTypeFloor.upsert({
    where: { companyId_type_currencyIso: floor },
    create: { ...floor, ...value },
    update: value,
  });
  return { ...floor, ...value };
}

/**
 * Posts movements in one statement: one alone, or the two sides of a transfer. A request that comes again with its
 * Idempotency-Key gets the movements that it posted.
 *
 * @returns no movement where the order is gone that they are about.
 * @throws DomainError INVALID_STATE below a holder's floor, or when a balance would leave 53 bits.
 */
export async function post(
  scope: CompanyScope,
  postings: readonly Posting[],
  {
    description,
    orderId,
    account = null,
  }: { description?: string | null | undefined; account?: string | null } & Pick<PostingDetails, "orderId">,
): Promise<StoredMovement[]> {
  const details = { ...detailsOf(scope, description), orderId, account };
  const rows = await insertMovements(scope, postings, details);
  return rows.length === 0 ? [] : assertPosted(rows);
}

function detailsOf(
  { caller, takeIdentity, requestId }: CompanyScope,
  description: string | null | undefined,
): Omit<PostingDetails, "orderId" | "account"> {
  return {
    description: description ?? "",
    authorId: answerableAdmin(caller),
    identity: takeIdentity(),
    requestId,
    actorKind: caller.kind,
  };
}

function assertPosted(rows: readonly PostedRow[]): StoredMovement[] {
  const { outcome, refusedBalanceE2 } = first(rows);
  switch (outcome) {
    case "posted":
    case "known":
      return [...rows];
    case "reused":
      throw invalidField("Idempotency-Key", "reused", "was sent with another request before");
    case "deleted":
      throw holderDeleted();
    case "reversed":
      throw new DomainError("INVALID_STATE", "The movement is reversed already.");
    case "too_large":
      throw forbidden(`Your admin type posts at most ${formatAmount(refusedBalanceE2 as bigint)} at once.`);
    case "floor":
      throw new DomainError(
        "INVALID_STATE",
        `The balance is ${formatAmount(refusedBalanceE2 as bigint)}: it would fall below the holder's floor.`,
      );
    default:
      throw tooMuchFor(refusedBalanceE2 as bigint);
  }
}

/** The refusal of a posting to a holder that is deleted and has no balance. */
export function holderDeleted(): DomainError {
  return new DomainError("INVALID_STATE", "The holder is deleted, and has no balance to settle.");
}

/** The refusal of an amount that a balance, or that of the account on the other side, cannot hold. */
export function tooMuchFor(balanceE2: bigint): DomainError {
  return new DomainError(
    "INVALID_STATE",
    `The balance is ${formatAmount(balanceE2)}: it, or that of the company's account on the other side, would leave 53 bits.`,
  );
}

function first<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error("a posting without an outcome");
  return row;
}
