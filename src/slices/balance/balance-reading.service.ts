import { DomainError, invalidField, notFound } from "../../core/errors/domain-error.js";
import type { Where } from "../../core/lists/compile-filter.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage, MAX_UNPAGED_ROWS, type ListDelegate } from "../../core/lists/list-page.js";
import { MAX_AMOUNT } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { readMoment } from "../../core/time/moments.js";
import type {
  BalanceHolder,
  BalanceStatement,
  HolderArguments,
  Money,
  StatementGroup,
} from "./balance.model.js";
import { countOwing, owingMovements, sumMovements, type NamedHolder } from "./balance-reading.sql.js";
import { formatMoney } from "./money.rules.js";
import {
  balanceMovementList,
  recordMovementList,
  type BalanceMovement,
  type BalanceMovementsArgs,
  type CurrentMovementArgs,
} from "./movement.model.js";

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const MAX_STATEMENT_DAYS = 400;
/** The order of a holder's movements, backwards. */
const LATEST_FIRST = [{ createdAt: "desc" }, { id: "desc" }] as const;

/** An amount as it is shown. */
export function moneyOf(amountE2: bigint, currencyIso: string): Money {
  return { amountE2, currencyIso, ...formatMoney(amountE2, currencyIso) };
}

/** A page of a holder's movements, newest first unless ordered. */
export async function listMovements(
  scope: CompanyScope,
  args: BalanceMovementsArgs,
): Promise<Connection<BalanceMovement>> {
  const { db } = scope;
  const holder = namedHolder(scope, args);
  const where = movementsOf(scope, holder, args.targetType);
  const isWhole = args.targetType == null && args.filter == null;
  const delegate: ListDelegate = {
    findMany: (query) => db.balanceMovement.findMany(query),
    // The holder knows how many movements it has.
    count: (query) =>
      isWhole
        ? findHolder(scope, holder).then((row) => row?.movementCount ?? 0)
        : db.balanceMovement.count(query),
  };
  const source = { delegate, where, select: scope.selected("BalanceMovement") };
  return listPage(balanceMovementList, source, byMoment(args));
}

/** Puts the moment in place of the id: both give a holder's movements the same order, and the moments have an index. */
function byMoment(args: ListArguments): ListArguments {
  const orderBy = (args.orderBy ?? []).map((term) =>
    term.field === "id" ? { ...term, field: "createdAt" } : term,
  );
  return { ...args, orderBy };
}

/** One movement, whoever its holder is. @throws DomainError NOT_FOUND. */
export async function getMovement({ db, companyId }: CompanyScope, id: number): Promise<BalanceMovement> {
  const row = await db.balanceMovement.findFirst({ where: { companyId, id } });
  if (row === null) throw notFound("BalanceMovement");
  return row as unknown as BalanceMovement;
}

/** The latest movement of a holder, which has its balance; `null` when it has none. */
export function findCurrentMovement(
  scope: CompanyScope,
  args: CurrentMovementArgs,
): Promise<BalanceMovement | null> {
  const where = movementsOf(scope, namedHolder(scope, args), args.targetType);
  return findLatest(scope, where);
}

/** A page of the movements that are about an order, newest first unless ordered. @throws DomainError NOT_FOUND. */
export async function listMovementsOfOrder(
  scope: CompanyScope,
  orderId: number,
  args: ListArguments,
): Promise<Connection<BalanceMovement>> {
  const { db, companyId } = scope;
  const order = await db.order.findFirst({ where: { companyId, id: orderId }, select: { id: true } });
  if (order === null) throw notFound("Order");
  const where = { companyId, relatedType: "order", relatedId: BigInt(orderId) };
  const source = { delegate: db.balanceMovement, where, select: scope.selected("BalanceMovement") };
  return listPage(recordMovementList, source, args);
}

/** The latest movements of a city's holders that owe, newest first. @throws DomainError NOT_FOUND. */
export async function listCityDebts(
  scope: CompanyScope,
  cityId: number,
  offset: number,
): Promise<BalanceMovement[]> {
  const { db, companyId } = scope;
  await assertCity(scope, cityId);
  const ids = await owingMovements(scope, cityId, { offset, limit: MAX_UNPAGED_ROWS });
  if (ids.length === 0) return [];
  const rows = await db.balanceMovement.findMany({
    where: { companyId, id: { in: ids } },
    orderBy: { id: "desc" },
  });
  return rows as unknown as BalanceMovement[];
}

/** How many of a city's holders owe. @throws DomainError NOT_FOUND. */
export async function countCityDebts(scope: CompanyScope, cityId: number): Promise<number> {
  await assertCity(scope, cityId);
  return countOwing(scope, cityId);
}

/** A holder with its floor; `null` when it has neither movements nor a floor. */
export async function findHolder(scope: CompanyScope, args: HolderArguments): Promise<BalanceHolder | null> {
  const { db, companyId } = scope;
  const row = await db.balanceHolder.findFirst({ where: { companyId, ...namedHolder(scope, args) } });
  return row as BalanceHolder | null;
}

/** The balance of a holder at a moment, whose whole second counts. */
export async function balanceAt(
  scope: CompanyScope,
  args: HolderArguments & { readonly at: string },
): Promise<Money> {
  const holder = namedHolder(scope, args);
  const at = readMoment(args.at, scope.company.timeZoneOffset);
  const after = new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS + SECOND_MS);
  return moneyOf(await balanceBefore(scope, holder, after), holder.currencyIso);
}

/**
 * Sums a holder's movements of a period, by day or by kind of related record.
 *
 * @throws DomainError VALIDATION_FAILED for a period that is longer than 400 days; INVALID_STATE when a sum leaves 53 bits.
 */
export async function statementOf(
  scope: CompanyScope,
  args: HolderArguments & { readonly from: string; readonly until: string; readonly by: StatementGroup },
): Promise<BalanceStatement> {
  const { timeZoneOffset } = scope.company;
  const [from, until] = [readMoment(args.from, timeZoneOffset), readMoment(args.until, timeZoneOffset)];
  if (until.getTime() - from.getTime() > MAX_STATEMENT_DAYS * DAY_MS)
    throw invalidField("until", "max", `must be at most ${MAX_STATEMENT_DAYS} days after from`);
  const holder = namedHolder(scope, args);
  const [openingE2, closingE2, sums] = await Promise.all([
    balanceBefore(scope, holder, from),
    balanceBefore(scope, holder, until),
    sumMovements(scope, holder, { from, until, by: args.by }),
  ]);
  const rows = sums.map(({ credits, debits, ...row }) => ({
    ...row,
    creditsE2: BigInt(credits),
    debitsE2: BigInt(debits),
  }));
  const total = (key: "creditsE2" | "debitsE2"): bigint => rows.reduce((sum, row) => sum + row[key], 0n);
  const [creditsE2, debitsE2] = [total("creditsE2"), total("debitsE2")];
  if (creditsE2 > MAX_AMOUNT || debitsE2 > MAX_AMOUNT)
    throw new DomainError("INVALID_STATE", "The sums of this period are too large; ask for a shorter one.");
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return { currencyIso: holder.currencyIso, openingE2, creditsE2, debitsE2, closingE2, count, rows };
}

async function balanceBefore(scope: CompanyScope, holder: NamedHolder, moment: Date): Promise<bigint> {
  const where = { ...movementsOf(scope, holder, null), createdAt: { lt: moment } };
  return (await findLatest(scope, where))?.finalBalanceE2 ?? 0n;
}

async function findLatest({ db }: CompanyScope, where: Where): Promise<BalanceMovement | null> {
  const row = await db.balanceMovement.findFirst({ where, orderBy: [...LATEST_FIRST] });
  return row as BalanceMovement | null;
}

function namedHolder({ company }: CompanyScope, { type, key, currencyIso }: HolderArguments): NamedHolder {
  return { type, key, currencyIso: currencyIso ?? company.currencyIso };
}

function movementsOf(
  { companyId }: CompanyScope,
  { type, key, currencyIso }: NamedHolder,
  relatedTypes: readonly string[] | null | undefined,
): Where {
  return {
    companyId,
    holderType: type,
    holderKey: key,
    currencyIso,
    ...(relatedTypes != null && { relatedType: { in: [...relatedTypes] } }),
  };
}

async function assertCity({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const city = await db.city.findFirst({ where: { companyId, id }, select: { id: true } });
  if (city === null) throw notFound("City");
}
