import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import { decodeCursor, encodeCursor, nameOfRows } from "../../core/lists/cursor.js";
import { DEFAULT_PAGE_SIZE } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { readMoment } from "../../core/time/moments.js";
import { assertReachesAll } from "../../core/scope/reaches-all.js";
import { periodOf } from "./balance-reading.service.js";
import {
  HolderStatementConnection,
  STATEMENTS,
  type HolderStatement,
  type HolderStatementsArgs,
} from "./books.model.js";
import { shownSum } from "./books.service.js";
import type { HolderPlace } from "./books.sql.js";
import {
  countStatements,
  findStatements,
  settledMoment,
  type Period,
  type StatementRow,
  type SummedPeriod,
} from "./statements.sql.js";

const CURSOR_FIELDS = [
  { kind: "text" },
  { kind: "text" },
  { kind: "int" },
  { kind: "text" },
  { kind: "dateTime" },
] as const;

/**
 * A page of what the movements of a period come to, by holder, deleted ones too, in the order of type, key and currency. A
 * period that goes on ends with the first page, so that all pages are of one moment.
 *
 * @throws DomainError VALIDATION_FAILED for a period that is longer than 400 days, and for half a period to compare;
 *   INVALID_STATE when a sum leaves 53 bits; CONFLICT when a posting goes on for longer than 5 seconds.
 */
export async function listStatements(
  scope: CompanyScope,
  args: HolderStatementsArgs,
): Promise<Connection<HolderStatement>> {
  assertReachesAll(scope, "The list of statements");
  const { filter, first, after, offset } = args;
  const period = periodOf(scope, args);
  const compared = comparedPeriod(scope, args);
  const size = first ?? DEFAULT_PAGE_SIZE;
  const moments = [period.from, period.until, compared?.from, compared?.until].map((at) => at?.toISOString());
  const signature = [STATEMENTS, scope.companyId, ...moments, nameOfRows({}, { ...filter })].join();
  const place = after == null ? null : decodeCursor(after, signature, CURSOR_FIELDS, "after");
  const moment = (place?.[4] as Date | undefined) ?? (await pageMoment(scope, args));
  const query = {
    period,
    compared,
    holderType: filter?.holderType,
    currencyIso: filter?.currencyIso,
    after: place === null ? null : (place.slice(0, 4) as unknown as HolderPlace),
    moment,
    limit: size + 1,
    offset: offset ?? 0,
  };
  const rows = await findStatements(scope, query);
  const shown = rows.slice(0, size);
  const cursorOf = (index: number): string => {
    const { type, kind, number, currencyIso } = shown[index] as StatementRow;
    return encodeCursor(signature, [type, kind, number, currencyIso, moment]);
  };
  const more = { next: rows.length > size, previous: after != null || (offset ?? 0) > 0 };
  const statements = shown.map((row) => statementOf(scope.companyId, row));
  const count = () => countStatements(scope, query);
  const page = new HolderStatementConnection(statements, cursorOf, more, count);
  page.asOf = moment;
  return page;
}

/** The moment that a page names, or now: all that was posted before it can be seen. */
async function pageMoment(scope: CompanyScope, { asOf }: HolderStatementsArgs): Promise<Date> {
  const named = asOf == null ? null : readMoment(asOf, scope.company.timeZoneOffset);
  const moment = await settledMoment(scope, named);
  if (moment !== null) return moment;
  throw new DomainError("CONFLICT", "A posting that began earlier is still being written; try again.", {
    retryAfterSeconds: 1,
  });
}

function comparedPeriod(
  scope: CompanyScope,
  { comparedFrom, comparedUntil }: HolderStatementsArgs,
): Period | null {
  if (comparedFrom == null && comparedUntil == null) return null;
  if (comparedFrom == null) throw invalidField("comparedFrom", "required", "is required with comparedUntil");
  if (comparedUntil == null) throw invalidField("comparedUntil", "required", "is required with comparedFrom");
  return periodOf(scope, { from: comparedFrom, until: comparedUntil }, "comparedUntil");
}

function statementOf(companyId: number, row: StatementRow): HolderStatement {
  const { type, kind, number, account, name, currencyIso, own, compared } = row;
  const holderKey = kind === "own" ? 0 : number;
  const of = () => `${currencyIso} of ${account === null ? `${type} ${holderKey}` : `account ${account}`}`;
  const other = compared === null ? null : shownSums(compared, of);
  return {
    companyId,
    holderType: type,
    holderKey,
    account,
    name,
    currencyIso,
    ...shownSums(own, of),
    comparedOpeningE2: other?.openingE2 ?? null,
    comparedCreditsE2: other?.creditsE2 ?? null,
    comparedDebitsE2: other?.debitsE2 ?? null,
    comparedClosingE2: other?.closingE2 ?? null,
    comparedCount: other?.count ?? null,
  };
}

function shownSums({ opening, closing, credits, count }: SummedPeriod, of: () => string) {
  const [openingE2, creditsE2, closingE2] = [opening, credits, closing].map((sum) =>
    shownSum(BigInt(sum), of),
  ) as [bigint, bigint, bigint];
  return {
    openingE2,
    creditsE2,
    closingE2,
    debitsE2: shownSum(openingE2 + creditsE2 - closingE2, of),
    count,
  };
}
