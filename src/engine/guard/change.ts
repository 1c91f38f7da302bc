import { isRoleHolder } from "../../core/access/caller.js";
import { isLockedAfterGrants, lockGrants } from "../../core/access/grant-lock.js";
import { DomainError, type PresentRow } from "../../core/errors/domain-error.js";
import type { ChangedRow } from "../../core/operations/changed-row.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { unlessOnlyRead } from "../../core/scope/row-reach.sql.js";
import { isTenantModel, type ModelName } from "../../core/scope/tenant-models.js";
import { formatMoment, parseMoment } from "../../core/time/moments.js";
import { MODEL_FACTS, type OwnerFacts } from "../../generated/models.js";
import { sql, type Sql } from "../../core/db/sql.js";
import { latestChanger } from "../audit/last-change.sql.js";
import { columnName } from "../reads/model-tables.js";
import { ownerIn } from "../tenancy/private-rows.js";
import type { LockedRow, Precondition, Run } from "../request/run.js";
import { IF_UPDATED_AT, IF_VERSION } from "../schema/row-conditions.js";
import type { Arguments, Operation } from "../schema/operation.js";

const VERSION_FIELDS = ["id", "version", "updatedAt"];

/** A call of a mutation. */
interface Call {
  readonly operation: Operation;
  readonly args: Arguments;
}

/**
 * Lets a mutation act when its preconditions hold. What is written to the audit trail, or has a precondition, acts in one
 * transaction: the row is locked and judged in it, so no other change comes between, and there is never a change without
 * its entry. Bulk operations have a transaction for each row. Where the version of the changed row is asked for, it is read in the
 * same transaction.
 *
 * @throws DomainError PRECONDITION_FAILED; nothing is changed then.
 */
export async function change<T>(run: Run, call: Call, act: (run: Run) => Promise<T>): Promise<T> {
  const row = await rowWithinCompany(run, call);
  return row === null
    ? changeRow(run, call, act)
    : unlessOnlyRead(row.scope, row, () => changeRow(run, call, act));
}

/** The row that a caller changes who is bound to shops; `null` for any other caller, and for no single row of the company. */
async function rowWithinCompany(
  run: Run,
  { operation: { changedRow }, args }: Call,
): Promise<{ scope: CompanyScope; model: ModelName; id: number } | null> {
  if (changedRow === null || run.admissions.boundsOfCaller() === null) return null;
  const { model, idOf } = changedRow;
  if (!isTenantModel(model)) return null;
  const scope = run.companyScope(args["companyId"] as number);
  return { scope, model, id: await idOf(args, scope) };
}

async function changeRow<T>(run: Run, call: Call, act: (run: Run) => Promise<T>): Promise<T> {
  const { operation } = call;
  const conditions = preconditionsOf(run, call);
  const isTold = operation.changedRow !== null && run.asksForVersion;
  if (conditions.length === 0 && !isTold && opensNone(run, operation)) {
    await run.forgetActor();
    return act(run);
  }
  return run.inTransaction(async (inside) => {
    const fields = [...VERSION_FIELDS, ...conditions.flatMap((condition) => condition.fields)];
    const row = conditions.length === 0 ? null : await findChanged(inside, call, { fields, locks: true });
    // A row that does not exist is for the operation to report.
    if (row !== null)
      for (const condition of conditions)
        if (!(await condition.holds(inside, row))) throw changedMeanwhile(await presentOf(inside, call, row));
    const result = await act(inside);
    const changed = isTold ? await findChanged(inside, call, { fields: VERSION_FIELDS, locks: false }) : null;
    if (changed !== null) inside.tellChanged(changed);
    return result;
  });
}

/** Whether no transaction is opened around the operation: there is nothing to write down, or it opens its own. */
function opensNone(run: Run, { isAudited, isBulk, hasOwnTransaction }: Operation): boolean {
  return !isAudited || isBulk || (hasOwnTransaction && !run.isWithinTransaction);
}

/** The precondition of the request, and those of the arguments `ifUpdatedAt` and `ifVersion`. */
function preconditionsOf(run: Run, { operation, args }: Call): readonly Precondition[] {
  if (operation.changedRow === null) return [];
  const conditions: Precondition[] = run.precondition === null ? [] : [run.precondition];
  const { [IF_UPDATED_AT]: moment, [IF_VERSION]: wanted } = args;
  if (typeof moment === "string") conditions.push(stillOf(moment));
  if (typeof wanted === "number")
    conditions.push({ fields: [], holds: (_inside, { version }) => version === wanted });
  return conditions;
}

/** Finds the row that the call changes; `null` when there is none. `locks` says whether one that is not private is locked, which those are. */
async function findChanged(
  run: Run,
  { operation, args }: Call,
  { fields, locks }: { fields: readonly string[]; locks: boolean },
): Promise<LockedRow | null> {
  const { model, idOf } = operation.changedRow as ChangedRow;
  const companyId = args["companyId"] as number;
  // A company may be a deleted one, of which there is no scope.
  const id = model === "Company" ? companyId : await idOf(args, run.companyScope(companyId));
  const [row] = await findRow(run, { companyId, model, id, fields: [...new Set(fields)], locks });
  return row ?? null;
}

interface Wanted {
  readonly companyId: number;
  readonly model: ModelName;
  readonly id: number;
  readonly fields: readonly string[];
  readonly locks: boolean;
}

async function findRow(run: Run, { companyId, model, id, fields, locks }: Wanted): Promise<LockedRow[]> {
  const { client } = run;
  const { table: name, owner } = MODEL_FACTS[model];
  if (locks && isLockedAfterGrants(model)) await lockGrants({ db: client, companyId });
  const table = sql.raw(`"${name}"`);
  const columns = sql.raw(fields.map((field) => `"${columnName(model, field)}" AS "${field}"`).join(", "));
  if (owner !== null) return lockPrivateRow(companyId, run, { table, columns, owner, id });
  const ofCompany = isTenantModel(model) ? sql`company_id = ${companyId} AND` : sql.empty;
  // A row that the caller does not reach is not judged: it is as if it did not exist.
  const db = isTenantModel(model) ? run.companyScope(companyId).db : client;
  if (!locks) return db.$queryRaw<LockedRow[]>`SELECT ${columns} FROM ${table} WHERE ${ofCompany} id = ${id}`;
  return db.$queryRaw<LockedRow[]>`
    SELECT ${columns} FROM ${table}
     WHERE ${ofCompany} id = ${id} FOR NO KEY UPDATE`;
}

/** Locks a row that is private to the caller, and before it the caller, as those do who change several such rows. */
async function lockPrivateRow(
  companyId: number,
  { client, caller }: Run,
  { table, columns, owner, id }: { table: Sql; columns: Sql; owner: OwnerFacts; id: number },
): Promise<LockedRow[]> {
  const ownerId = ownerIn(companyId, caller);
  if (ownerId === null) return [];
  const [owners, column] = [owner.table, owner.column].map((name) => sql.raw(`"${name}"`));
  await client.$queryRaw`
    SELECT id FROM ${owners} WHERE company_id = ${companyId} AND id = ${ownerId} FOR NO KEY UPDATE`;
  return client.$queryRaw<LockedRow[]>`
    SELECT ${columns} FROM ${table}
     WHERE company_id = ${companyId} AND ${column} = ${ownerId} AND id = ${id} FOR NO KEY UPDATE`;
}

/** Moments are shown by the second: one that two states of the row share does not say which of them was read. */
function stillOf(shown: string): Precondition {
  const wanted = parseMoment(shown);
  return {
    fields: ["sharesSecond"],
    holds: (_inside, { updatedAt, sharesSecond }) =>
      wanted !== null && sharesSecond === false && toSeconds(wanted) === toSeconds(updatedAt),
  };
}

const toSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

/** What the row is now. Who made it so is told to those who have roles, and to the platform. */
async function presentOf(run: Run, { operation, args }: Call, row: LockedRow): Promise<PresentRow> {
  const { id, version, updatedAt } = row;
  const mayKnow = isRoleHolder(run.caller) || run.caller.kind === "platform";
  const { model } = operation.changedRow as ChangedRow;
  const changer = mayKnow
    ? await latestChanger(run.client, { companyId: args["companyId"] as number, model, id, updatedAt })
    : null;
  return { version, updatedAt: formatMoment(updatedAt), ...changer };
}

function changedMeanwhile(present: PresentRow): DomainError {
  return new DomainError("PRECONDITION_FAILED", "It was changed meanwhile; read it again.", { present });
}
