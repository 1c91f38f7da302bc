import { shownName } from "../../core/files/shown-name.js";
import { DomainError, forbidden, notFound } from "../../core/errors/domain-error.js";
import { formatOf } from "../../core/files/sheet-rule.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { readMoment } from "../../core/time/moments.js";
import { NO_JSON, type JsonObject, type Row } from "../../core/db/db.js";
import { currentActor } from "../../core/operations/actor.sql.js";
import { unwantPictures } from "../goods/good-picture-source.sql.js";
import { getBranch } from "../shops/branch.service.js";
import { lockCompany } from "../companies/company.sql.js";
import { goodsImports } from "./import-goods.jobs.js";
import { SHEET, type ImportGoodsInput } from "./import-goods.inputs.js";
import { importErrorList, importJobList, type ImportError, type ImportJob } from "./import-job.model.js";
import { forgetMoreChanges, noteCanceled, writesTarget, type ImportTarget } from "./import-job.sql.js";
import { readOptions } from "./import-options.rules.js";
import { waitingImportQuota } from "./waiting-import.quota.js";

type ImportJobRow = Row<"ImportJob">;

export async function importBranchGoods(
  scope: CompanyScope,
  branchId: number,
  input: ImportGoodsInput,
): Promise<ImportJobRow> {
  const { branchGroupId } = await getBranch(scope, branchId);
  return createImport(scope, { branchGroupId, branchId }, input);
}

/** A refused import may find a free place after this time. */
const RETRY_AFTER_SECONDS = 60;

/** @throws DomainError RATE_LIMITED when as many imports of the company wait as may. */
export async function assertRoomToWait(
  scope: Pick<CompanyScope, "db" | "companyId" | "quotas">,
): Promise<void> {
  const limit = scope.quotas.limitOf(waitingImportQuota);
  if (limit === null || (await waitingImportQuota.used(scope)) < limit) return;
  const { name: field } = waitingImportQuota;
  const message = `At most ${limit} imports of a company may wait; this would be one more.`;
  throw new DomainError("RATE_LIMITED", message, {
    errors: [{ field, rule: "quota", message }],
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * Keeps the file and adds the job, in one transaction: there is an import if and only if there is a job for it.
 *
 * @throws DomainError RATE_LIMITED.
 */
export function createImport(
  scope: CompanyScope,
  target: ImportTarget,
  input: ImportGoodsInput,
): Promise<ImportJobRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, company } = inside;
    await assertWritesGoodsOf(inside, target);
    // Two that come at once count one after the other.
    await lockCompany(db, companyId);
    await assertRoomToWait(inside);
    const { options, dryRun } = readOptions(input, target.branchId !== null);
    const { file, sendAt: sent, sendAtTimezone } = input;
    const sendAt = sent == null ? null : readMoment(sent, sendAtTimezone ?? company.timeZoneOffset);
    const job = await db.importJob.create({
      data: {
        companyId,
        ...target,
        status: sendAt === null ? "queued" : "scheduled",
        fileName: shownName(file.name),
        format: formatOf(file.name, SHEET) as string,
        fileKey: file.key,
        dryRun,
        options: options as unknown as JsonObject,
        actor: (await currentActor(db)) ?? NO_JSON,
        sendAt,
      },
    });
    await goodsImports.schedule(inside, job.id, sendAt);
    return job;
  });
}

/**
 * An import of a branch creates and changes goods of its shop, which who is bound to the branch alone only reads.
 *
 * @throws DomainError FORBIDDEN.
 */
async function assertWritesGoodsOf(scope: CompanyScope, target: ImportTarget): Promise<void> {
  if (!scope.isBound || (await writesTarget(scope, target))) return;
  throw forbidden("An import changes goods of the shop, which who is bound to its branches only reads.");
}

/** @throws DomainError NOT_FOUND. */
export async function getImport(
  { db, companyId, selected }: CompanyScope,
  id: number,
): Promise<ImportJobRow> {
  const job = await db.importJob.findFirst({ where: { companyId, id }, select: selected("ImportJob") });
  if (job === null) throw notFound("ImportJob");
  return job;
}

export function listImports(
  { db, companyId, selected }: CompanyScope,
  args: ListArguments,
): Promise<Connection<ImportJob>> {
  const source = { delegate: db.importJob, where: { companyId }, select: selected("ImportJob") };
  return listPage(importJobList, source, args);
}

/** A page of the errors of an import, in the order of its rows. @throws DomainError NOT_FOUND. */
export async function listErrors(
  scope: CompanyScope,
  importJobId: number,
  args: ListArguments,
): Promise<Connection<ImportError>> {
  const { db, companyId, selected } = scope;
  await getImport({ ...scope, selected: () => ({ id: true }) }, importJobId);
  const where = { companyId, importJobId };
  const source = { delegate: db.importError, where, select: selected("ImportError") };
  return listPage(importErrorList, source, args);
}

/**
 * Ends an import that has not ended. What its batches have done stays; the batch that runs is the last one.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when it has ended.
 */
export function cancelImport(scope: CompanyScope, id: number): Promise<ImportJobRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const [job] = await db.importJob.updateManyAndReturn({
      where: { companyId, id, status: { in: ["scheduled", "queued", "running"] } },
      data: { status: "failed", message: "It was canceled.", fileKey: null, finishedAt: at },
    });
    if (job === undefined) {
      const { status } = await getImport({ ...inside, selected: () => null }, id);
      throw new DomainError("INVALID_STATE", "The import has ended.", {
        state: { state: status, allowedActions: [] },
      });
    }
    await goodsImports.unschedule(inside, id);
    await noteCanceled(db, { companyId, id });
    await forgetMoreChanges(db, { companyId, id });
    const unwanted = await unwantPictures(db, { companyId, importJobId: id });
    if (unwanted === 0) return job;
    return db.importJob.update({
      where: { companyId_id: { companyId, id } },
      data: { picturesWanted: { decrement: unwanted } },
    });
  });
}
