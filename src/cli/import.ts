import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SingleBar } from "cli-progress";
import pino from "pino";
import type { JobContext } from "../core/jobs/jobs.js";
import { formatOf } from "../core/files/sheet-rule.js";
import { UploadedFile } from "../core/files/upload.js";
import { actorStatement } from "../engine/audit/audit-context.js";
import { createDatabase, type Database } from "../engine/connections/client.js";
import { createCompanyScope } from "../engine/tenancy/create-company-scope.js";
import { sendAhead, unscopedDb } from "../engine/tenancy/bounded-db.js";
import { CompanyDirectory } from "../core/scope/company-directory.js";
import { jobFiles } from "../engine/worker/job-files.js";
import { openStorage } from "../engine/storage/open-storage.js";
import { inputCheck } from "../engine/guard/check-input.js";
import { startWorker } from "../engine/worker/worker.js";
import type { Row } from "../core/db/db.js";
import { tasks } from "../jobs.js";
import { logOptions } from "../process/log.js";
import { withDatabase } from "../process/with-database.js";
import { createSchema } from "../schema.js";
import { storedCallers } from "../slices/auth/stored-callers.sql.js";
import { SHEET } from "../slices/imports/import-goods.inputs.js";
import { createImport, importBranchGoods } from "../slices/imports/import-job.service.js";
import { readOptions } from "../slices/imports/import-options.rules.js";
import { CommandError, readArgs, readId, runCommand } from "./command.js";

const USAGE =
  "Usage: npm run import -- FILE --company ID [--branch-group ID | --branch ID] [--dry-run] [--mapping COLUMN=FIELD …] " +
  "[--config KEY=VALUE …] [--category-mapping VALUE=CATEGORY …]";
const POLL_MS = 200;
const ERRORS_SHOWN = 20;
const log = pino(logOptions("error"), pino.destination(2));

/**
 * `npm run import` imports goods as the service does, and shows how far it is: into a shop, as one of its branches sells them,
 * or for the whole company. It does jobs as long as it runs; when it is
 * stopped, a process of the service goes on. The exit code is 1 when rows were refused or the import failed.
 */
await runCommand(async (config, args) => {
  const { file, company, branchGroup, branch, input } = readArguments(args);
  const format = formatOf(file, SHEET);
  if (format === null)
    throw new CommandError(`The name of the file has to end in one of ${SHEET.formats.join(", ")}.`);
  const { size } = await stat(file).catch(() => {
    throw new CommandError(`There is no file ${file}.`);
  });
  if (size === 0 || size > SHEET.maxKiB * 1024)
    throw new CommandError(`The file has to have 1 byte to ${SHEET.maxKiB} KiB.`);
  const { errors } = readOptions(input, branch !== undefined);
  if (errors.length > 0)
    throw new CommandError(errors.map(({ field, message }) => `${field} ${message}`).join("\n"));
  await withDatabase(config, async (access) => {
    const database = await createDatabase({ url: access.serviceUrl, poolSize: 2 });
    const storage = await openStorage(config.storageUrl);
    try {
      const writer = unscopedDb(database.writer);
      const facts = await new CompanyDirectory(writer).find(company);
      if (facts === null) throw new CommandError(`There is no company ${company}.`);
      const caller = { kind: "platform" } as const;
      const operation = branch === undefined ? "importBranchGroupGoods" : "importBranchGoods";
      const requestId = randomUUID();
      const actor = { operation, requestId, traceParent: null, caller, payer: null, quota: null };
      const scope = createCompanyScope(writer, facts, caller, new Date(), {
        begin: (transaction) => sendAhead(transaction, actorStatement(actor)),
      });
      await assertTarget(database, { company, branchGroup, branch });
      const { files } = jobFiles({
        database,
        storage,
        quotas: config.quotas,
        fetchAllow: config.fetchAllow,
        log,
      });
      const upload = new UploadedFile(file, size, "", basename(file));
      upload.key = await files.storeSheet(company, upload, format);
      const sent = { ...input, file: upload };
      const { id } = await (branch === undefined
        ? createImport(scope, { branchGroupId: branchGroup ?? null, branchId: null }, sent)
        : importBranchGoods(scope, branch, sent));
      const worker = await startWorker({
        database: { url: access.serviceUrl },
        tasks,
        recurring: [],
        storage,
        quotas: config.quotas,
        callers: storedCallers,
        check: inputCheck(createSchema()),
        fetchAllow: config.fetchAllow,
        log,
        auditDays: config.auditDays,
        journalDays: config.journalDays,
      });
      try {
        const job = await follow(database, company, id);
        await tell(database, job);
        if (job.reportKey !== null) await saveReport(files, job.reportKey, file);
        if (job.status === "failed") throw new CommandError(`The import failed: ${job.message}`);
        if (job.failed > 0) process.exitCode = 1;
      } finally {
        await worker.stop();
      }
    } finally {
      storage.close();
      await database.close();
    }
  });
});

/** Shows how far the import is until it has ended. */
async function follow({ writer }: Database, companyId: number, id: number): Promise<Row<"ImportJob">> {
  const bar = new SingleBar({
    format: "{bar} {percentage} % | {rows} rows: {imported} new, {updated} there, {failed} refused",
    hideCursor: true,
    noTTYOutput: false,
  });
  bar.start(100, 0, { rows: 0, imported: 0, updated: 0, failed: 0 });
  try {
    for (;;) {
      const job = await writer.importJob.findFirstOrThrow({ where: { companyId, id } });
      const { fileRead, totalRows: rows, imported, updated, failed, status } = job;
      bar.update(Math.floor(fileRead * 100), { rows, imported, updated, failed });
      if (status === "finished" || status === "failed") return job;
      await sleep(POLL_MS);
    }
  } finally {
    bar.stop();
  }
}

async function tell({ writer }: Database, job: Row<"ImportJob">): Promise<void> {
  const { companyId, id, imported, updated, unchanged, failed, totalRows, errorCount, dryRun } = job;
  print(
    `${dryRun ? "Would do" : "Did"} ${totalRows} rows: ${imported} new goods, ${updated - unchanged} changed, ` +
      `${unchanged} the same, ${failed} refused.`,
  );
  const columns = job.columns as unknown as { header: string; field: string | null }[];
  const ignored = columns.flatMap(({ header, field }) => (field === null && header !== "" ? [header] : []));
  if (ignored.length > 0) print(`Ignored columns: ${ignored.join(", ")}`);
  if (job.unknownCategories.length > 0) print(`Unknown categories: ${job.unknownCategories.join(", ")}`);
  const errors = await writer.importError.findMany({
    where: { companyId, importJobId: id },
    orderBy: { place: "asc" },
    take: ERRORS_SHOWN,
  });
  for (const { row, column, header, message } of errors)
    print(`Row ${row}${column === null ? "" : `, ${column} (${header ?? ""})`}: ${message}`);
  if (errorCount > errors.length) print(`… and ${errorCount - errors.length} more`);
}

async function saveReport(files: JobContext["files"], key: string, file: string): Promise<void> {
  const path = file.replace(/(?=\.[^.]+$)/u, ".errors");
  if (await files.copySheet(key, path)) print(`Report: ${path}`);
}

async function assertTarget(
  { writer }: Database,
  {
    company,
    branchGroup,
    branch,
  }: { company: number; branchGroup: number | undefined; branch: number | undefined },
): Promise<void> {
  const id = branch ?? branchGroup;
  if (id === undefined) return;
  const where = { companyId: company, id };
  const found = await (branch === undefined
    ? writer.branchGroup.findFirst({ where, select: { id: true } })
    : writer.branch.findFirst({ where, select: { id: true } }));
  if (found === null)
    throw new CommandError(
      branch === undefined ? `There is no branch group ${where.id}.` : `There is no branch ${where.id}.`,
    );
}

function readArguments(args: string[]) {
  const options = {
    company: { type: "string" },
    "branch-group": { type: "string" },
    branch: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    mapping: { type: "string", multiple: true, default: [] as string[] },
    config: { type: "string", multiple: true, default: [] as string[] },
    "category-mapping": { type: "string", multiple: true, default: [] as string[] },
  } as const;
  const { values, positionals } = readArgs({ args, allowPositionals: true, options }, USAGE);
  const [file = ""] = positionals;
  const idOf = (name: "company" | "branch-group" | "branch"): number | undefined =>
    values[name] === undefined ? undefined : readId(`--${name}`, values[name], USAGE);
  const [company, branchGroup, branch] = [idOf("company"), idOf("branch-group"), idOf("branch")];
  if (
    positionals.length !== 1 ||
    company === undefined ||
    (branchGroup !== undefined && branch !== undefined)
  )
    throw new CommandError(USAGE);
  const { mapping, config, "category-mapping": categoryMapping, "dry-run": dryRun } = values;
  return { file, company, branchGroup, branch, input: { mapping, config, categoryMapping, dryRun } };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
