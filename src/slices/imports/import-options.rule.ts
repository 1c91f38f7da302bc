import type { FieldError } from "../../core/errors/domain-error.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { parseMoment } from "../../core/time/moments.js";
import { daysAfter } from "../../core/time/zones.js";
import { CategoryNames } from "./category-names.js";
import { assertRoomToWait } from "./import-job.service.js";
import { readOptions } from "./import-options.rules.js";

const LATEST_DAYS = 365;

/**
 * Finds texts of `mapping`, `config` and `categoryMapping` that mean nothing, categories that are not there, and a beginning
 * that is too far away.
 *
 * @throws DomainError RATE_LIMITED when too many imports wait, before the file is kept.
 */
export const optionsRule: StoredRule = async (input, context, args): Promise<readonly FieldError[]> => {
  const scope = context.companyScope(args["companyId"] as number);
  await assertRoomToWait(scope);
  const read = readOptions(input, typeof args["branchId"] === "number");
  const { options } = read;
  const errors = [...read.errors, ...wrongBeginning(input, scope)];
  if (options.categories.length === 0) return errors;
  const { db, companyId } = scope;
  const categories = await db.category.findMany({ where: { companyId }, select: { id: true, name: true } });
  const names = new CategoryNames(categories, []);
  const sent = input["categoryMapping"] as readonly string[];
  const missing = options.categories
    .filter(({ category }) => names.idOf(category) === null)
    .map(({ value, category }) => ({
      field: `categoryMapping[${sent.findIndex((item) => item.trim().startsWith(value))}]`,
      rule: "exists",
      message: `${JSON.stringify(category)} is no category`,
    }));
  return [...errors, ...missing];
};

/** What is no moment is left to the check of its type. */
function wrongBeginning(
  { sendAt, sendAtTimezone }: Readonly<Record<string, unknown>>,
  { at, company }: CompanyScope,
): FieldError[] {
  if (typeof sendAt !== "string") return [];
  const offset = typeof sendAtTimezone === "string" ? sendAtTimezone : company.timeZoneOffset;
  const begins = parseMoment(sendAt, offset);
  if (begins === null || begins <= daysAfter(company.timeZoneOffset, at, LATEST_DAYS)) return [];
  return [{ field: "sendAt", rule: "before", message: "must be within a year" }];
}
