import { DomainError, invalidField, notFound } from "../../core/errors/domain-error.js";
import {
  compileFilter,
  EVERY_ROW,
  type Conditions,
  type Rewrites,
  type Where,
} from "../../core/lists/compile-filter.js";
import type { Connection } from "../../core/lists/connection.js";
import type { Filter, ListArguments, ListField } from "../../core/lists/list-definition.js";
import { listPage, MAX_UNPAGED_ROWS, type ListDelegate } from "../../core/lists/list-page.js";
import { MAX_AMOUNT } from "../../core/money.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { readMoment } from "../../core/time/moments.js";
import { daysAfter } from "../../core/time/zones.js";
import type {
  BalanceHolder,
  BalanceStatement,
  BalanceStatementRow,
  BalanceTypeFloor,
  ClientStatementArgs,
  HolderArguments,
  HolderType,
  Money,
  PeriodArguments,
  StatementGroup,
} from "./balance.model.js";
import { heldCurrency } from "./held-currency.service.js";
import { lanesOf } from "./account.rules.js";
import {
  countOwing,
  owingMovements,
  readBalanceBefore,
  sumMovements,
  type NamedHolder,
} from "./balance-reading.sql.js";
import { formatMoney } from "./money.rules.js";
import {
  balanceMovementList,
  recordMovementList,
  RelatedTypeEnum,
  type BalanceMovement,
  type BalanceMovementsArgs,
  type CurrentMovementArgs,
} from "./movement.model.js";

const SECOND_MS = 1_000;
const MAX_STATEMENT_DAYS = 400;
/** The order of a holder's movements, backwards. */
const LATEST_FIRST = [{ createdAt: "desc" }, { id: "desc" }] as const;

/** An amount as it is shown. */
export function moneyOf(amountE2: bigint, currencyIso: string): Money {
  return { amountE2, currencyIso, ...formatMoney(amountE2, currencyIso) };
}

/**
 * A page of movements, newest first unless ordered: of a holder, of all holders of a type, or of the whole company.
 *
 * @throws DomainError VALIDATION_FAILED for half the name of a holder.
 */
export async function listMovements(
  scope: CompanyScope,
  args: BalanceMovementsArgs,
  { isWhole: readsAll = false }: { readonly isWhole?: boolean } = {},
): Promise<Connection<BalanceMovement>> {
  const { db, companyId } = scope;
  const { type } = args;
  if (type == null && (args.key != null || args.account != null))
    throw invalidField("type", "required", "is required with a key or an account");
  const holder = type == null || isOfType(args) ? null : await namedHolder(scope, { ...args, type });
  const where =
    holder === null
      ? {
          companyId,
          ...(type != null && { holderType: type }),
          ...(args.currencyIso != null && {
            currencyIso: await heldCurrency(scope, type == null ? {} : { type }, args.currencyIso),
          }),
          ...recordsOf(args.targetType),
        }
      : movementsOf(scope, holder, args.targetType);
  if (args.ofOneMoment === true && (args.key == null || args.account != null))
    throw invalidField("ofOneMoment", "forbidden", "goes with the key of a holder alone");
  const isWhole =
    holder !== null && args.targetType == null && args.filter == null && args.ofOneMoment !== true;
  const delegate: ListDelegate = {
    findMany: (query) => db.balanceMovement.findMany(query),
    // The holder knows how many movements it has.
    count: (query) => (isWhole ? countMovements(scope, holder) : db.balanceMovement.count(query)),
  };
  const select = readsAll ? null : scope.selected("BalanceMovement");
  const lastId = async () => (await findLatest(scope, where))?.id ?? 0n;
  const source = {
    delegate,
    where,
    select,
    rewrites: REWRITES,
    ...(args.ofOneMoment === true && { lastId }),
  };
  return listPage(balanceMovementList, source, asStored(scope, args));
}

/** Whether the arguments name all holders of a type. */
const isOfType = ({ type, key, account }: BalanceMovementsArgs): boolean =>
  type != null && key == null && account == null;

async function countMovements(scope: CompanyScope, holder: NamedHolder): Promise<number> {
  const rows = await holderRows(scope, holder);
  return rows.reduce((sum, { movementCount }) => sum + movementCount, 0);
}

/** A fee is that of the shopper or of the deliverer. The index of records has their kinds before their ids. */
const REWRITES: Rewrites = {
  relatedId: (conditions) => {
    const named = compileFilter({ relatedId: conditions }, { relatedId: PLAIN_ID });
    const isAboutRecords = Object.entries(conditions).some(
      ([operator, value]) =>
        value != null && (operator === "isNull" ? value === false : !LEAVES_OUT.has(operator)),
    );
    const ofAnyKind = { relatedType: { in: Object.keys(RelatedTypeEnum) } };
    return { AND: [...named, ...(isAboutRecords ? [ofAnyKind] : [])] };
  },
  type: (conditions) => {
    const stored = withFees(conditions);
    const compiled = compileFilter({ type: stored }, { type: PLAIN_TYPE });
    if (compiled.length === 0) return EVERY_ROW;
    const isOfTypes = { AND: compiled };
    if (stored["in"] === undefined) return isOfTypes;
    // The index by author and type is passed through in two parts, so that the planner takes it for rare types.
    return { OR: [{ authorId: null }, { authorId: { not: null } }].map((by) => ({ AND: [by, isOfTypes] })) };
  },
};
const PLAIN_TYPE: ListField = { kind: "word" };
/** Operators that movements about no record fit, too. */
const LEAVES_OUT: ReadonlySet<string> = new Set(["ne", "nin"]);
const PLAIN_ID: ListField = { kind: "safeInt", nullable: true };

function withFees({ eq, ne, in: among, nin, isNull }: Conditions): Filter {
  const all = (values: unknown): unknown[] | undefined =>
    values == null
      ? undefined
      : [values].flat().flatMap((value) => (value === "fee" ? ["shopper_fee", "deliverer_fee"] : [value]));
  const [wanted, others] = [all(eq ?? among), all(ne ?? nin)];
  // Both of `eq` and `in`, and of `ne` and `nin`: what fits all of them.
  const both = eq != null && among != null ? wanted?.filter((value) => all(among)?.includes(value)) : wanted;
  const none = ne != null && nin != null ? [...(others ?? []), ...(all(nin) ?? [])] : others;
  return { ...(both && { in: both }), ...(none && { nin: none }), ...(isNull != null && { isNull }) };
}

/** The arguments with moments of the filter in UTC, which without an offset of their own are the company's. */
function asStored<Args extends ListArguments>({ company }: CompanyScope, args: Args): Args {
  const { filter } = args;
  return { ...byMoment(args), filter: filter == null ? null : inUtc(filter, company.timeZoneOffset) };
}

function inUtc(filter: Filter, timeZoneOffset: string): Filter {
  const utc = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(utc);
    return typeof value === "string" ? readMoment(value, timeZoneOffset).toISOString() : value;
  };
  const convert = ([name, value]: [string, unknown]): [string, unknown] => {
    if (value == null) return [name, value];
    if (name === "or") return [name, (value as Filter[]).map((one) => inUtc(one, timeZoneOffset))];
    if (name === "not") return [name, inUtc(value as Filter, timeZoneOffset)];
    if (name !== "createdAt") return [name, value];
    const conditions = Object.entries(value).map(([operator, at]) => [operator, utc(at)] as const);
    return [name, Object.fromEntries(conditions)];
  };
  return Object.fromEntries(Object.entries(filter).map(convert));
}

/** Puts the moment in place of the id: both give a holder's movements the same order, and the moments have an index. */
function byMoment<Args extends ListArguments>(args: Args): Args {
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
export async function findCurrentMovement(
  scope: CompanyScope,
  args: CurrentMovementArgs,
): Promise<BalanceMovement | null> {
  const where = movementsOf(scope, await namedHolder(scope, args), args.targetType);
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
  const select = scope.selected("BalanceMovement");
  return listPage(
    recordMovementList,
    { delegate: db.balanceMovement, where, select, rewrites: REWRITES },
    asStored(scope, args),
  );
}

/**
 * A page of the movements of a client in one currency, newest first unless ordered.
 *
 * @param options.isWhole whether all columns are read: the document does not plan rows of a field with arguments.
 */
export async function listMovementsOfClient(
  scope: CompanyScope,
  clientId: number,
  args: ListArguments & { readonly currencyIso?: string | null },
  options: { readonly isWhole?: boolean } = {},
): Promise<Connection<BalanceMovement>> {
  await assertClient(scope, clientId);
  await assertHolderReached(scope, "client", clientId);
  return listMovements(scope, { ...args, type: "client", key: clientId }, options);
}

/** Deleted clients keep their books. */
async function assertClient({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const client = await db.client.findFirst({ where: { companyId, id }, select: { id: true } });
  if (client === null) throw notFound("Client");
}

/** Sums a client's movements of a period. @throws as `statementOf`. */
export async function statementOfClient(
  scope: CompanyScope,
  clientId: number,
  { from, until, by, currencyIso }: ClientStatementArgs,
): Promise<BalanceStatement> {
  await assertClient(scope, clientId);
  return statementOf(scope, {
    type: "client",
    key: clientId,
    currencyIso: currencyIso ?? null,
    from,
    until,
    by: by ?? "day",
  });
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
  const holder = await namedHolder(scope, args);
  const rows = await holderRows(scope, holder);
  const [first, ...others] = rows;
  if (first === undefined) return null;
  // The lanes of an account of the company together.
  return others.reduce<BalanceHolder>(
    (sum, { balanceE2, movementCount }) => ({
      ...sum,
      balanceE2: sum.balanceE2 + balanceE2,
      movementCount: sum.movementCount + movementCount,
    }),
    first,
  );
}

/** Floors of all holders of a type, by type and currency. */
export async function listTypeFloors({ db, companyId }: CompanyScope): Promise<BalanceTypeFloor[]> {
  const rows = await db.balanceTypeFloor.findMany({
    where: { companyId },
    orderBy: [{ type: "asc" }, { currencyIso: "asc" }],
  });
  return rows as BalanceTypeFloor[];
}

async function holderRows(
  { db, companyId }: CompanyScope,
  { type, keys, currencyIso }: NamedHolder,
): Promise<BalanceHolder[]> {
  const rows = await db.balanceHolder.findMany({
    where: { companyId, type, key: keys, currencyIso },
    orderBy: { key: "desc" },
  });
  return rows as unknown as BalanceHolder[];
}

/** The balance of a holder at a moment, whose whole second counts. */
export async function balanceAt(
  scope: CompanyScope,
  args: HolderArguments & { readonly at: string },
): Promise<Money> {
  const holder = await namedHolder(scope, args);
  return moneyOf(await readBalanceBefore(scope, holder, endOfSecond(scope, args.at)), holder.currencyIso);
}

/** The last moment that PostgreSQL reads in the form of a `Date`. */
export const LAST_MOMENT = new Date("9999-12-31T23:59:59.999Z");

/** The moment after the whole second of a moment; of the last second of all, its end. */
export function endOfSecond({ company }: CompanyScope, at: string): Date {
  const moment = readMoment(at, company.timeZoneOffset);
  const end = Math.floor(moment.getTime() / SECOND_MS) * SECOND_MS + SECOND_MS;
  return new Date(Math.min(end, LAST_MOMENT.getTime()));
}

/**
 * A period as arguments name it: moments without an offset are the company's, and so are its days.
 *
 * @param named names the argument with the end.
 * @throws DomainError VALIDATION_FAILED for one that is longer than 400 days, or ends before it begins.
 */
export function periodOf(
  { company: { timeZoneOffset } }: CompanyScope,
  args: PeriodArguments,
  named = "until",
): { readonly from: Date; readonly until: Date } {
  const [from, until] = [readMoment(args.from, timeZoneOffset), readMoment(args.until, timeZoneOffset)];
  if (until <= from) throw invalidField(named, "after", "must be later than the beginning");
  if (until > daysAfter(timeZoneOffset, from, MAX_STATEMENT_DAYS))
    throw invalidField(named, "max", `must be at most ${MAX_STATEMENT_DAYS} days after the beginning`);
  return { from, until };
}

/**
 * Sums a holder's movements of a period, by day or by kind of related record.
 *
 * @throws DomainError VALIDATION_FAILED for a period that is longer than 400 days; INVALID_STATE when a sum leaves 53 bits.
 */
export async function statementOf(
  scope: CompanyScope,
  args: HolderArguments & PeriodArguments & { readonly by: StatementGroup },
): Promise<BalanceStatement> {
  const { from, until } = periodOf(scope, args);
  const holder = await namedHolder(scope, args);
  const { by } = args;
  const { openingE2, rows: sums } = await sumMovements(scope, holder, { from, until, by });
  let balance = openingE2;
  const rows = sums.map(({ group, credits, debits, count }): BalanceStatementRow => {
    const [creditsE2, debitsE2] = [BigInt(credits), BigInt(debits)];
    const opening = balance;
    balance += creditsE2 - debitsE2;
    const days = { day: group, relatedType: null, openingE2: opening, closingE2: balance };
    const kinds = { day: null, relatedType: group, openingE2: null, closingE2: null };
    return { ...(by === "day" ? days : kinds), creditsE2, debitsE2, count };
  });
  const total = (key: "creditsE2" | "debitsE2"): bigint => rows.reduce((sum, row) => sum + row[key], 0n);
  const [creditsE2, debitsE2] = [total("creditsE2"), total("debitsE2")];
  if (creditsE2 > MAX_AMOUNT || debitsE2 > MAX_AMOUNT)
    throw new DomainError("INVALID_STATE", "The sums of this period are too large; ask for a shorter one.");
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return { currencyIso: holder.currencyIso, openingE2, creditsE2, debitsE2, closingE2: balance, count, rows };
}

async function findLatest({ db }: CompanyScope, where: Where): Promise<BalanceMovement | null> {
  const row = await db.balanceMovement.findFirst({ where, orderBy: [...LATEST_FIRST] });
  return row as BalanceMovement | null;
}

/**
 * The holder that arguments name, by its stored keys.
 *
 * @throws DomainError VALIDATION_FAILED unless they name one holder; NOT_FOUND.
 */
async function namedHolder(
  scope: CompanyScope,
  { type, key, account, currencyIso }: HolderArguments,
): Promise<NamedHolder> {
  const { companyId, db } = scope;
  await assertHolderReached(scope, type, key ?? null);
  const held = async (keys: NamedHolder["keys"]): Promise<NamedHolder> => {
    return { type, keys, currencyIso: await heldCurrency(scope, { type, key: keys }, currencyIso) };
  };
  if (account == null) {
    if (key == null) throw invalidField("key", "required", "is required");
    return held({ gte: key, lte: key });
  }
  if (type !== "account") throw invalidField("account", "forbidden", "goes with the type account alone");
  if (key != null && key !== 0) throw invalidField("key", "max", "must be 0 for an account of the company");
  const row = await db.balanceAccount.findFirst({
    where: { companyId, name: account },
    select: { id: true },
  });
  return held(row === null ? NOBODY : lanesOf(row.id));
}

/**
 * Who is bound to shops reads balances of their branches: without it, all others would seem to have none.
 *
 * @throws DomainError NOT_FOUND.
 */
async function assertHolderReached(
  { db, companyId, isBound }: CompanyScope,
  type: HolderType,
  key: number | null,
): Promise<void> {
  if (!isBound) return;
  const where = { companyId, id: key ?? 0 };
  const branch = type === "branch" ? await db.branch.findFirst({ where, select: { id: true } }) : null;
  if (branch === null) throw notFound("BalanceHolder");
}

/** Keys of nobody. */
const NOBODY = { gte: 0, lte: 0 };

function movementsOf(
  { companyId }: CompanyScope,
  { type, keys, currencyIso }: NamedHolder,
  relatedTypes: readonly string[] | null | undefined,
): Where {
  return {
    companyId,
    holderType: type,
    holderKey: keys.gte === keys.lte ? keys.gte : keys,
    currencyIso,
    ...recordsOf(relatedTypes),
  };
}

function recordsOf(types: readonly string[] | null | undefined): Where {
  return types == null ? {} : { relatedType: { in: [...types] } };
}

async function assertCity({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const city = await db.city.findFirst({ where: { companyId, id }, select: { id: true } });
  if (city === null) throw notFound("City");
}
