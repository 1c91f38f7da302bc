import { isDeepStrictEqual } from "node:util";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import { givenKeys } from "../../core/inputs/given-keys.js";
import { writeMask } from "../../core/masks/masks.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { unlessExternalIdTaken } from "../../core/resources/external-id.js";
import { type JsonObject, NO_JSON, type Row } from "../../core/db/db.js";
import { getBranch } from "../shops/branch.service.js";
import { getBranchGroup } from "../shops/branch-group.service.js";
import type { CreateGoodInput, RestoreGoodInput, UpdateGoodInput } from "./good.inputs.js";
import { GOOD_TYPE } from "./good.masks.js";
import { takeSku, takeSkuAgain } from "./good-sku.service.js";

type GoodRow = Row<"Good">;

/** The shop that a good belongs to; the whole company when there is none. */
export interface GoodOwner {
  readonly branchGroupId?: number | null;
}

/**
 * One good.
 *
 * @param options.withDeleted whether a deleted good is answered, too; the guard has checked that the caller may see it.
 * @param options.select the columns that are needed; `null` for all.
 * @throws DomainError NOT_FOUND.
 */
export async function getGood(
  { db, companyId }: CompanyScope,
  id: number,
  options: { withDeleted?: boolean | null; select?: Readonly<Record<string, true>> | null } = {},
): Promise<GoodRow> {
  const notDeleted = options.withDeleted === true ? {} : { deletedAt: null };
  const { select = null } = options;
  const good = await db.good.findFirst({ where: { companyId, id, ...notDeleted }, select });
  if (good === null) throw notFound("Good");
  return good;
}

/**
 * Locks a good of which a part changes, such as its properties, whose change moves the good's version. Others who change a
 * part of it wait until this transaction ends.
 *
 * @returns whether the good exists.
 */
export async function changePartOf({ db, companyId }: CompanyScope, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT FROM goods WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Reads goods by their ids, in the order of the ids; goods that do not exist any more are left out. */
export async function goodsInOrder(
  { db, companyId }: CompanyScope,
  ids: readonly number[],
): Promise<GoodRow[]> {
  const wanted = [...new Set(ids)];
  const rows = await db.good.findMany({ where: { companyId, id: { in: wanted }, deletedAt: null } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return wanted.flatMap((id) => byId.get(id) ?? []);
}

/** @throws DomainError VALIDATION_FAILED with rule `unique` when a good of the shop has the sku. */
export function createGood(
  scope: CompanyScope,
  input: CreateGoodInput,
  owner: GoodOwner = {},
): Promise<GoodRow> {
  const { sku } = input;
  if (sku == null || sku === "") return insertGood(scope, input, owner);
  return scope.transaction(async (inside) => {
    await takeSku(inside, { branchGroupId: owner.branchGroupId ?? null, sku, except: null });
    return insertGood(inside, input, owner);
  });
}

async function insertGood(
  { db, companyId }: CompanyScope,
  input: CreateGoodInput,
  owner: GoodOwner,
): Promise<GoodRow> {
  const { name, shortDetails, details, priceE2, ...rest } = valuesOf(input, NEW);
  const row = await db.good.create({
    data: { companyId, ...owner, ...rest, name, shortDetails, details, priceE2 },
  });
  return row;
}

/** Creates a good of the branch's shop and puts it on sale at that branch, in one transaction. */
export function createGoodForBranch(
  scope: CompanyScope,
  branchId: number,
  input: CreateGoodInput,
): Promise<GoodRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const { branchGroupId } = await getBranch(inside, branchId);
    const good = await createGood(inside, input, { branchGroupId });
    await db.branchGood.create({ data: { companyId, branchId, goodId: good.id } });
    return good;
  });
}

export async function createGoodForBranchGroup(
  scope: CompanyScope,
  branchGroupId: number,
  input: CreateGoodInput,
): Promise<GoodRow> {
  await getBranchGroup(scope, branchGroupId);
  return createGood(scope, input, { branchGroupId });
}

/**
 * Changes a good. The row is locked first, since what is sent is merged with what is stored.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED with rule `unique` when another good of the shop has the sku.
 */
export function updateGood(scope: CompanyScope, id: number, input: UpdateGoodInput): Promise<GoodRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if (typeof input.sku === "string") await takeNewSku(inside, id, input.sku);
    const stored = await lockMerged(inside, id);
    const row = await db.good.update({
      where: { companyId_id: { companyId, id } },
      data: valuesOf(input, stored),
    });
    return row;
  });
}

/** Keeps a sku free that a good does not have yet. The shop is locked before the good, as imports do. */
async function takeNewSku(inside: CompanyScope, id: number, sku: string): Promise<void> {
  const { branchGroupId, sku: own } = await getGood(inside, id, {
    select: { branchGroupId: true, sku: true },
  });
  if (own !== sku) await takeSku(inside, { branchGroupId, sku, except: id });
}

/** Deletes a good softly: it can be restored with everything that is linked to it. */
export async function deleteGood({ db, companyId, at }: CompanyScope, id: number): Promise<GoodRow> {
  const [row] = await db.good.updateManyAndReturn({
    where: { companyId, id, deletedAt: null },
    data: { deletedAt: at },
  });
  if (row === undefined) throw notFound("Good");
  return row;
}

/**
 * Brings a deleted good back, by another name if one is given.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when it is not deleted; CONFLICT when another good of the shop has its sku,
 *   or another one of the company its external id.
 */
export function restoreGood(scope: CompanyScope, id: number, input: RestoreGoodInput): Promise<GoodRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const { branchGroupId, sku, deletedAt } = await getGood(inside, id, { withDeleted: true });
    if (deletedAt !== null) await takeSkuAgain(inside, { branchGroupId, sku, except: id });
    const restoring = db.good.updateManyAndReturn({
      where: { companyId, id, deletedAt: { not: null } },
      data: { deletedAt: null, ...(typeof input.name === "string" && { name: input.name }) },
    });
    const [row] = await unlessExternalIdTaken(restoring);
    if (row === undefined) throw new DomainError("INVALID_STATE", "The good is not deleted.");
    return row;
  });
}

/** The columns with which an update is merged: flags set their bits in the mask, and a unit may be the same in another form. */
type Merged = Pick<GoodRow, "type" | "unitConfig">;

const NEW: Merged = { type: 0, unitConfig: null };

/** The columns that an input sets. */
function valuesOf<T extends UpdateGoodInput>(input: T, stored: Merged) {
  const {
    type,
    unitConfig,
    isTypeService,
    isTypeCustomPickup,
    isTypeDigital,
    isTypeList,
    isCombo,
    isDigitalCustom,
    isDigitalBalance,
    ...columns
  } = input;
  const flags = {
    isTypeService,
    isTypeCustomPickup,
    isTypeDigital,
    isTypeList,
    isCombo,
    isDigitalCustom,
    isDigitalBalance,
  };
  return {
    ...columns,
    type: writeMask(GOOD_TYPE, flags, type, stored.type),
    ...(unitConfig !== undefined && {
      unitConfig: unitConfig === null ? NO_JSON : unitAfter(stored, unitConfig),
    }),
  };
}

/** A unit as it is stored, without keys that are null. One that is the same but for these stays in the form that it has. */
function unitAfter({ unitConfig: stored }: Merged, sent: object): JsonObject {
  const given = givenKeys(sent) as JsonObject;
  return stored !== null && isDeepStrictEqual(givenKeys(stored as JsonObject), given)
    ? (stored as JsonObject)
    : given;
}

async function lockMerged({ db, companyId }: CompanyScope, id: number): Promise<Merged> {
  const [row] = await db.$queryRaw<Merged[]>`
    SELECT type, unit_config AS "unitConfig" FROM goods WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  if (row === undefined) throw notFound("Good");
  return row;
}
