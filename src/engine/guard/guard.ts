import type { FieldError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import { BULK_ROWS } from "../../core/operations/operation-arguments.js";
import type { CompanyFacts, CompanyScope } from "../../core/scope/company-scope.js";
import { WAITING_SHARE } from "../connections/pool.js";
import { fetchPictures } from "../fetching/fetch-pictures.js";
import { assertMaySeeDeleted } from "../request/deleted-rows.js";
import type { Run } from "../request/run.js";
import { settleAhead } from "../tenancy/bounded-db.js";
import type { Arguments, Operation } from "../schema/operation.js";
import { storeSheets, unfitSheets } from "../storage/sheets.js";
import { storePictures, unfitPictures } from "../storage/uploaded-pictures.js";
import { MOST_ERRORS } from "../validation/field-errors.js";
import type { Findings } from "../validation/validator.js";
import { assertTargetsExist, missingReferences } from "./named-rows.js";
import { areRelated, refusal } from "./wrong-fields.js";

/** A call of an operation. */
interface Call {
  readonly operation: Operation;
  readonly args: Arguments;
  readonly run: Run;
  /** The company that the call enters; `null` for a call of none. */
  readonly scope: CompanyScope | null;
}

/**
 * Checks a call of an operation before it runs, and adds the company to the arguments where callers may leave it out.
 * Refusals come in the contract's order: 401, 403, 404, then 422 with all wrong fields at once (contract §6.3).
 *
 * @param options.mistyped is given for arguments as the caller sent them, of which some do not fit their types: those that
 *   are known.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, VALIDATION_FAILED, BAD_REQUEST; and those of files,
 *   PAYLOAD_TOO_LARGE, RATE_LIMITED, UNAVAILABLE.
 */
export async function guard(
  operation: Operation,
  args: Arguments,
  run: Run,
  { mistyped }: { mistyped?: readonly FieldError[] } = {},
): Promise<void> {
  const isTyped = mistyped === undefined;
  const company = await run.admissions.admit(operation, args);
  const call: Call = { operation, args, run, scope: enter(company, operation, args, run) };
  if (operation.deletedRowsOf !== null && args["withDeleted"] === true)
    await assertMaySeeDeleted(run, args["companyId"] as number, operation.deletedRowsOf);
  const findings = findingsOf(call);
  const ofRows = needsRows(call, findings) ? await wrongInRows(call, findings) : [];
  const found = wrongFields(call, [...findings.errors, ...ofRows], mistyped);
  const wrong = isTyped && operation.isBulk ? setAside(found, run) : found;
  if (wrong.length > 0 || hasFiles(findings, isTyped)) await assertTargetsExist(operation, args, call.scope);
  if (hasFiles(findings, isTyped)) wrong.push(...(await takeFiles(call, findings, { isTyped, wrong })));
  if (wrong.length > 0) throw refusal(wrong, operation, isTyped);
}

/** The check of an input ends at a number of errors, of which it leaves out at most every second one: then some may be missing. */
const MOST_SET_ASIDE = MOST_ERRORS / 2;

/** A wrong field of a row of a bulk operation, with the place of the row. */
const OF_ROW = new RegExp(`^${BULK_ROWS}\\[(?<index>\\d+)\\]\\.(?<field>.+)$`, "u");

/**
 * Notes the wrong fields of single rows, which cost these rows alone. A body of the wrong shape refuses the whole, and so do so
 * many that some may not have been found.
 *
 * @returns the other wrong fields.
 */
function setAside(found: readonly FieldError[], run: Run): FieldError[] {
  const byRow = new Map<number, FieldError[]>();
  const others: FieldError[] = [];
  const isOfAll = (error: FieldError): boolean =>
    found.length >= MOST_SET_ASIDE || run.inputErrors.includes(error);
  for (const error of found) {
    const { index, field } = OF_ROW.exec(error.field)?.groups ?? {};
    if (index === undefined || field === undefined || isOfAll(error)) others.push(error);
    else byRow.set(Number(index), [...(byRow.get(Number(index)) ?? []), { ...error, field }]);
  }
  run.wrongRows = byRow;
  return others;
}

/** Enters the company that the call names, or the caller's own. */
function enter(
  company: CompanyFacts | null,
  operation: Operation,
  args: Arguments,
  run: Run,
): CompanyScope | null {
  const scope = company === null ? null : run.enter(company);
  if (operation.companyIsOptional) args["companyId"] ??= scope?.companyId ?? null;
  return scope;
}

function findingsOf({ operation, args, run, scope }: Call): Findings {
  return operation.check(args, { at: run.at, timeZoneOffset: scope?.company.timeZoneOffset ?? "+00:00" });
}

/** Returns whether only rows can show some of the wrong fields. */
function needsRows({ operation, scope }: Call, { references }: Findings): boolean {
  return (scope !== null && references.length > 0) || operation.storedRule !== undefined;
}

/** Returns the wrong fields that only rows can show: ids of rows that are not there, and what the stored rows forbid. */
async function wrongInRows(call: Call, { references }: Findings): Promise<FieldError[]> {
  const { operation, run, scope } = call;
  const isBound = !operation.isBulk && run.admissions.boundsOfCaller() !== null;
  const missing =
    scope === null || references.length === 0 ? [] : await missingReferences(scope, references, { isBound });
  const isWithoutCompany = operation.hasCompany && scope === null;
  return isWithoutCompany ? missing : [...missing, ...(await storedErrors(call))];
}

/** Returns all wrong fields that need no file: of the body's shape, and those that were found of the input. */
function wrongFields(
  { run }: Call,
  found: readonly FieldError[],
  mistyped: readonly FieldError[] = [],
): FieldError[] {
  const wrong = [...run.inputErrors, ...found];
  // What the input's own check says of a place is plainer.
  const others = mistyped.filter(({ field }) => !wrong.some((error) => areRelated(error.field, field)));
  return [...wrong, ...others];
}

/** Returns the fields that are wrong beside the stored rows. An id that no row can have is reported by itself. */
async function storedErrors({
  operation: { storedRule, idArguments },
  args,
  run,
}: Call): Promise<readonly FieldError[]> {
  const { input } = args;
  if (storedRule === undefined || typeof input !== "object" || input === null) return [];
  const isIdOrAbsent = (id: unknown): boolean => id == null || isId(id);
  if (!idArguments.every(({ argument }) => isIdOrAbsent(args[argument]))) return [];
  return storedRule(input as Readonly<Record<string, unknown>>, run, args);
}

/** Returns whether the call gives files, or addresses of files that are to be fetched. */
function hasFiles({ pictures, sheets, fetches }: Findings, isTyped: boolean): boolean {
  return pictures.length + sheets.length > 0 || (isTyped && fetches.length > 0);
}

/**
 * Checks the files of a call, fetches those that are wanted when nothing is wrong, and stores all of them when nothing is
 * wrong then. The store may take its time, so this is done before any transaction begins.
 *
 * @returns the wrong fields.
 */
async function takeFiles(
  { run, scope }: Call,
  { pictures, sheets, fetches }: Findings,
  { isTyped, wrong }: { isTyped: boolean; wrong: readonly FieldError[] },
): Promise<FieldError[]> {
  const { request, isWithinTransaction } = run;
  const { files, requestTimeoutMs } = run.runtime;
  // What is stored or fetched stays when a transaction is undone, so that by then it has to be known whether its key is free.
  if (isWithinTransaction) await settleAhead(run.client);
  const waiting = { asker: request.asker, patienceMs: requestTimeoutMs * WAITING_SHARE };
  const decodes = isTyped && wrong.length === 0;
  const unfit = await unfitPictures(pictures, { decodes, ...waiting });
  unfit.push(...unfitSheets(sheets));
  if (wrong.length + unfit.length > 0) return unfit;
  const { fetches: noted, turn } = request;
  const wanted = isTyped ? fetches : [];
  const fetching = { files, fetches: noted, turn, isWithinTransaction, ...waiting };
  const { fetched, unfit: unfetched } = await fetchPictures(wanted, fetching);
  if (unfetched.length > 0 || scope === null) return unfetched;
  const { companyId } = scope;
  await storePictures([...pictures.map(({ file }) => file), ...fetched], companyId, files);
  await storeSheets(sheets, companyId, files);
  return [];
}
