import { WAITING_SHARE } from "../connections/pool.js";
import { withoutTurn } from "../fetching/fetches.js";
import type { Run } from "../request/run.js";
import { assertMaySeeDeleted } from "../request/deleted-rows.js";
import { DomainError, notFound, validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import { UploadedFile } from "../../core/files/upload.js";
import { isId } from "../../core/integers.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { delegateName, isSoftDeleted, type ModelName } from "../../core/scope/tenant-models.js";
import { unfitSheet } from "../storage/sheets.js";
import { formatOf } from "../../core/files/sheet-rule.js";
import type { SheetFormat } from "../../core/sheets/sheet.js";
import type { Findings, PictureToFetch, ReferencedId, UploadedPicture } from "../validation/validator.js";
import { MOST_ERRORS } from "../validation/field-errors.js";
import { isOfList, type Arguments, type Operation } from "../schema/operation.js";

/**
 * Checks a call of an operation before it runs, and adds the company to the arguments where callers may leave it out.
 * Refusals come in this order: 401, 403, 404, then 422 with all wrong
 * fields at once (contract §6.3).
 *
 * @param options.misfits is given for arguments as the caller sent them, of which some do not fit their types: those that
 *   are known.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, VALIDATION_FAILED, BAD_REQUEST.
 */
export async function guard(
  operation: Operation,
  args: Arguments,
  run: Run,
  { misfits }: { misfits?: readonly FieldError[] } = {},
): Promise<void> {
  const isTyped = misfits === undefined;
  const company = await run.admissions.admit(operation, args);
  const scope = company === null ? null : run.enter(company);
  if (operation.companyIsOptional) args["companyId"] ??= scope?.companyId ?? null;
  if (operation.deletedRowsOf !== null && args["withDeleted"] === true)
    await assertMaySeeDeleted(run, args["companyId"] as number, operation.deletedRowsOf);
  const timeZoneOffset = scope?.company.timeZoneOffset ?? "+00:00";
  const findings = operation.check(args, { at: run.at, timeZoneOffset });
  const { errors, references, pictures, sheets, fetches } = findings;
  const missing = scope === null || references.length === 0 ? [] : await missingReferences(scope, references);
  const isWithoutCompany = operation.hasCompany && scope === null;
  const taken = isWithoutCompany ? [] : await storedErrors(operation, args, run);
  const found = [...run.inputErrors, ...errors, ...missing, ...taken];
  // What the input's own check says of a place is plainer.
  found.push(...(misfits ?? []).filter(({ field }) => !found.some((told) => areRelated(told.field, field))));
  const assertTargets = () => (scope === null ? undefined : assertTargetsExist(operation, args, scope));
  if (pictures.length > 0)
    found.push(...(await unfitPictures(pictures, { found, isTyped, run, assertTargets })));
  if (sheets.length > 0) {
    await assertTargets();
    found.push(...sheets.map(unfitSheet).filter((error) => error !== null));
  }
  let fetched: UploadedFile[] = [];
  if (found.length === 0 && isTyped && fetches.length > 0) {
    await assertTargets();
    const { files, unfit } = await fetchPictures(fetches, run);
    fetched = files;
    found.push(...unfit);
  }
  if (found.length === 0) {
    // The store may take its time, so it is done before any transaction begins.
    if (scope !== null && pictures.length + fetched.length > 0)
      await storePictures([...pictures.map(({ file }) => file), ...fetched], scope, run);
    if (scope !== null && sheets.length > 0) await storeSheets(sheets, scope, run);
    return;
  }
  const told = once(found).slice(0, MOST_ERRORS);
  await assertTargets();
  throw refusal(told, operation, isTyped);
}

/**
 * Finds the files that are no pictures as their fields ask for. Only when nothing else is wrong are they decoded, which
 * costs more than all the rest. The module is loaded when the first picture comes.
 */
async function unfitPictures(
  pictures: readonly UploadedPicture[],
  {
    found,
    isTyped,
    run,
    assertTargets,
  }: {
    found: readonly FieldError[];
    isTyped: boolean;
    run: Run;
    assertTargets: () => Promise<void> | undefined;
  },
): Promise<FieldError[]> {
  await assertTargets();
  const { makePictures, unfitHeader } = await import("../storage/pictures.js");
  const unfit = (await Promise.all(pictures.map(unfitHeader))).filter((error) => error !== null);
  if (!isTyped || found.length > 0 || unfit.length > 0) return unfit;
  const patienceMs = run.runtime.requestTimeoutMs * WAITING_SHARE;
  return makePictures(pictures, { asker: run.request.asker, patienceMs });
}

/** Fetches pictures and puts them in their places. Whether they may be had at all has been decided. */
async function fetchPictures(
  wanted: readonly PictureToFetch[],
  { request, runtime, isWithinTransaction }: Run,
): Promise<{ files: UploadedFile[]; unfit: FieldError[] }> {
  const { asker, fetches, turn } = request;
  const files: UploadedFile[] = [];
  const unfit: FieldError[] = [];
  for (const { put, field, url, rule } of wanted) {
    const picture = { field, url, rule };
    const fetched = await (isWithinTransaction
      ? fetches.take(picture)
      : withoutTurn(turn, runtime.requestTimeoutMs * WAITING_SHARE, () =>
          runtime.files.fetchPicture(picture, asker),
        ));
    if (!(fetched instanceof UploadedFile)) {
      unfit.push(fetched);
      continue;
    }
    put(fetched);
    files.push(fetched);
  }
  return { files, unfit };
}

async function storePictures(
  files: readonly UploadedFile[],
  { companyId }: CompanyScope,
  { runtime }: Run,
): Promise<void> {
  for (const file of files)
    if (file.picture !== null) file.key = await runtime.files.storePicture(companyId, file.picture);
}

async function storeSheets(
  sheets: Findings["sheets"],
  { companyId }: CompanyScope,
  { runtime }: Run,
): Promise<void> {
  for (const { file, rule } of sheets)
    file.key = await runtime.files.storeSheet(companyId, file, formatOf(file.name, rule) as SheetFormat);
}

/**
 * Reports the ids of the input that belong to no row of the company, with rule `exists`. It takes one query per
 * model.
 */
async function missingReferences(
  scope: CompanyScope,
  references: readonly ReferencedId[],
): Promise<FieldError[]> {
  const models = [...new Set(references.map(({ model }) => model))];
  const missing = await Promise.all(
    models.map(async (model) => {
      const wanted = references.filter((reference) => reference.model === model);
      const found = await existingIds(
        scope,
        model,
        wanted.map(({ id }) => id),
      );
      return wanted.filter(({ id }) => !found.has(id));
    }),
  );
  return missing.flat().map(({ field, id }) => ({ field, rule: "exists", message: `${id} does not exist` }));
}

/** What the stored rows tell of the input, once it can be asked of them. */
async function storedErrors(
  { storedRule, idArguments }: Operation,
  args: Arguments,
  run: Run,
): Promise<readonly FieldError[]> {
  const { input } = args;
  if (storedRule === undefined || typeof input !== "object" || input === null) return [];
  // An id that none can be is told by itself.
  const isIdOrAbsent = (id: unknown): boolean => id == null || isId(id);
  if (!idArguments.every(({ argument }) => isIdOrAbsent(args[argument]))) return [];
  return storedRule(input as Readonly<Record<string, unknown>>, run, args);
}

/**
 * Checks that the rows that the path names exist: their 404 comes before the 422 of the input.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function assertTargetsExist(
  operation: Operation,
  args: Arguments,
  scope: CompanyScope,
): Promise<void> {
  for (const { argument, model, includesDeleted } of operation.idArguments) {
    const id = args[argument];
    // An id of the wrong type is told as a wrong field.
    if (!Number.isInteger(id)) continue;
    const found = isId(id) ? await existingIds(scope, model, [id], includesDeleted) : new Set<unknown>();
    if (!found.has(id)) throw notFound(model);
  }
}

interface FindMany {
  findMany(query: object): Promise<{ id: number }[]>;
}

async function existingIds(
  scope: CompanyScope,
  model: ModelName,
  ids: readonly number[],
  includesDeleted = false,
): Promise<Set<number>> {
  const delegate = scope.db[delegateName(model) as keyof typeof scope.db] as unknown as FindMany;
  const rows = await delegate.findMany({
    where: {
      companyId: scope.companyId,
      id: { in: [...new Set(ids)] },
      ...(isSoftDeleted(model) && !includesDeleted && { deletedAt: null }),
    },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Reports each field and rule once, although both the shape of the body and its values may find the same. A value
 * of the wrong type is reported as such alone: nothing else is said of it or of what is in it.
 */
function once(errors: readonly FieldError[]): FieldError[] {
  const misshapen = new Set(errors.filter(({ rule }) => rule === "type").map(({ field }) => field));
  const isWithin = (field: string): boolean => wholesOf(field).some((whole) => misshapen.has(whole));
  const told = errors.filter(({ field, rule }) =>
    rule === "type" ? !isWithin(field) : !misshapen.has(field) && !isWithin(field),
  );
  return [...new Map(told.map((error) => [`${error.field} ${error.rule}`, error])).values()];
}

/** Whether one field is the other one or stands within it. */
function areRelated(one: string, other: string): boolean {
  return one === other || wholesOf(one).includes(other) || wholesOf(other).includes(one);
}

/** Returns the fields around a field: `config` and `config.days` for `config.days[0]`. */
function wholesOf(field: string): string[] {
  return [...field.matchAll(/[.[]/gu)].map(({ index }) => field.slice(0, index));
}

/** Wrong list arguments of a query come before its other wrong fields (contract §6.3); all are told either way. */
function refusal(errors: readonly FieldError[], { kind }: Operation, isTyped: boolean): DomainError {
  const isMistyped = !isTyped && errors.some(({ rule }) => rule === "type");
  const [only, another] = errors;
  if (kind !== "query" || !errors.some(isOfList) || isMistyped) return validationFailed(errors);
  // The words of a closed set may have to stay unknown; they are told in `errors` alone.
  const message =
    only !== undefined && another === undefined && only.rule !== "enum"
      ? `${only.field} ${only.message}.`
      : "The list cannot be asked for like this; see errors.";
  return new DomainError("BAD_REQUEST", message, { errors });
}
