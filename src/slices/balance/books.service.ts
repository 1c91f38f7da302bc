import { DomainError, invalidField, unavailable } from "../../core/errors/domain-error.js";
import { comparedInSql, inCapitals } from "../../core/lists/compared-in-sql.js";
import type { Connection } from "../../core/lists/connection.js";
import { decodeCursor, encodeCursor, nameOfRows } from "../../core/lists/cursor.js";
import { DEFAULT_PAGE_SIZE } from "../../core/lists/list-page.js";
import { MAX_AMOUNT } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { assertReachesAll } from "../../core/scope/reaches-all.js";
import { readMoment } from "../../core/time/moments.js";
import { sql } from "../../core/db/sql.js";
import type { BalanceHolder } from "./balance.model.js";
import { endOfSecond, LAST_MOMENT } from "./balance-reading.service.js";
import {
  BalanceHolderConnection,
  HOLDERS,
  type BalanceHoldersArgs,
  type BooksArgs,
  type GiftCardLiability,
  type GiftCardSums,
  type LedgerHead,
  type TrialBalance,
  type TrialBalanceRow,
} from "./books.model.js";
import {
  closePeriod,
  countHolders,
  findHolders,
  readLedgerHead,
  sumGiftCards,
  type ClosedPeriod,
  type HolderPlace,
} from "./books.sql.js";
import { heldCurrency } from "./held-currency.service.js";
import { sumHolders } from "./trial-balance.sql.js";

/** A sum that may be greater than answers can show; `of` says whose it is. @throws DomainError INVALID_STATE. */
export function shownSum(sum: bigint, of: () => string): bigint {
  if (sum > MAX_AMOUNT || sum < -MAX_AMOUNT)
    throw new DomainError(
      "INVALID_STATE",
      `The sums of ${of()} leave 53 bits, which is all that answers can show: one is ${sum}.`,
    );
  return sum;
}

/**
 * What all holders of a company have in one currency at a moment, by type and account. It is read in one statement.
 *
 * @throws DomainError UNAVAILABLE while movements of old have no counterparts yet; INVALID_STATE when a sum leaves 53 bits.
 */
export async function trialBalanceOf(
  scope: CompanyScope,
  { at, currencyIso }: BooksArgs,
): Promise<TrialBalance> {
  assertReachesAll(scope, "The trial balance");
  const currency = await heldCurrency(scope, {}, currencyIso);
  const moment = at == null ? null : endOfSecond(scope, at);
  const { isComplete, rows: sums } = await sumHolders(scope, { currencyIso: currency, moment });
  if (!isComplete)
    throw unavailable("The counterparts of movements of old are being written.", { retryAfterSeconds: 60 });
  const rows = sums.map(({ holderType, account, holders, credit, balance }): TrialBalanceRow => {
    const whose = account === null ? `holders of the type ${holderType}` : `account ${account}`;
    const of = () => `${currency} of ${whose}`;
    const [creditE2, balanceE2] = [shownSum(BigInt(credit), of), shownSum(BigInt(balance), of)];
    return { holderType, account, holders, debitE2: shownSum(creditE2 - balanceE2, of), creditE2, balanceE2 };
  });
  const total = (key: "debitE2" | "creditE2" | "balanceE2"): bigint =>
    shownSum(
      rows.reduce((sum, row) => sum + row[key], 0n),
      () => `${currency} of all holders`,
    );
  const holders = rows.reduce((sum, row) => sum + row.holders, 0);
  const totals = {
    holders,
    debitE2: total("debitE2"),
    creditE2: total("creditE2"),
    balanceE2: total("balanceE2"),
  };
  return { currencyIso: currency, rows, totals };
}

const CURSOR_FIELDS = [{ kind: "text" }, { kind: "text" }, { kind: "int" }, { kind: "text" }] as const;

/** A page of the holders of a company, deleted ones too, in the order of type, key and currency. */
export async function listHolders(
  scope: CompanyScope,
  { filter, at, first, after }: BalanceHoldersArgs,
): Promise<Connection<BalanceHolder>> {
  const moment = at == null ? null : endOfSecond(scope, at);
  const size = first ?? DEFAULT_PAGE_SIZE;
  const { type, currencyIso, balanceE2, q } = filter ?? {};
  const signature = [HOLDERS, scope.companyId, nameOfRows({ at }, { ...filter })].join();
  const query = {
    moment,
    conditions: [
      ...comparedInSql(sql`w.type`, "text", type),
      ...comparedInSql(sql`w.currency_iso`, "text", inCapitals(currencyIso)),
    ],
    balances: comparedInSql(sql`w.balance_e2`, "bigint", balanceE2),
    q: q == null || q === "" ? null : q,
    after:
      after == null
        ? null
        : (decodeCursor(after, signature, CURSOR_FIELDS, "after") as unknown as HolderPlace),
    limit: size + 1,
  };
  const rows = await findHolders(scope, query);
  const shown = rows.slice(0, size);
  const cursorOf = (index: number): string => {
    const { type: ofType, kind, number, currencyIso: currency } = shown[index] as (typeof rows)[number];
    return encodeCursor(signature, [ofType, kind, number, currency]);
  };
  const more = { next: rows.length > size, previous: after != null };
  return new BalanceHolderConnection(shown, cursorOf, more, () => countHolders(scope, query));
}

/**
 * Closes the books up to a moment: from then on nothing is dated before it. It answers when nothing before it can still be
 * committed.
 *
 * @throws DomainError VALIDATION_FAILED for a moment that is not past; INVALID_STATE for one that is not later than the last
 *   period; UNAVAILABLE when other work of the database takes too long.
 */
export async function closeBalancePeriod(scope: CompanyScope, until: string): Promise<ClosedPeriod> {
  const period = await closePeriod(scope, readMoment(until, scope.company.timeZoneOffset));
  switch (period.outcome) {
    case "not_past":
      throw invalidField("until", "past", "must be past");
    case "not_later":
      throw new DomainError(
        "INVALID_STATE",
        "The books are closed up to this moment or a later one already.",
      );
    case "busy":
      throw unavailable("Something that began earlier is still being written; nothing was closed.");
    default:
      return period;
  }
}

/**
 * What a company owes in one currency to those who hold its gift cards at a moment.
 *
 * @throws DomainError INVALID_STATE when a sum leaves 53 bits.
 */
export async function giftCardLiabilityOf(
  scope: CompanyScope,
  { at, currencyIso }: BooksArgs,
): Promise<GiftCardLiability> {
  assertReachesAll(scope, "What is owed to holders of gift cards");
  const currency = await heldCurrency(scope, {}, currencyIso);
  const moment = at == null ? LAST_MOMENT : endOfSecond(scope, at);
  const sums = await sumGiftCards(scope, currency, moment);
  const coupons = sums.map(({ couponId, name, issued, redeemed }) => {
    const of = () => `${currency} of the gift cards of coupon ${couponId}`;
    const [issuedE2, redeemedE2] = [shownSum(BigInt(issued), of), shownSum(BigInt(redeemed), of)];
    return { couponId, name, issuedE2, redeemedE2, outstandingE2: issuedE2 - redeemedE2 };
  });
  const total = (key: keyof GiftCardSums): bigint =>
    shownSum(
      coupons.reduce((sum, row) => sum + row[key], 0n),
      () => `${currency} of all gift cards`,
    );
  return {
    currencyIso: currency,
    issuedE2: total("issuedE2"),
    redeemedE2: total("redeemedE2"),
    outstandingE2: total("outstandingE2"),
    coupons,
  };
}

/** The ends of all chains of movements of a company together. */
export async function ledgerHeadOf(scope: CompanyScope): Promise<LedgerHead> {
  assertReachesAll(scope, "The ledger's head");
  return readLedgerHead(scope);
}
