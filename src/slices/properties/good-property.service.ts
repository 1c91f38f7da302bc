import type { Row } from "../../core/db/db.js";
import { notFound } from "../../core/errors/domain-error.js";
import { writeMask } from "../../core/masks/masks.js";
import type { Where } from "../../core/lists/compile-filter.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { makeRoom, type OrderedRows } from "../../core/lists/make-room.sql.js";
import { listAll, listPage } from "../../core/lists/list-page.js";
import { RowsOf } from "../../core/lists/rows-of.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { listGoods } from "../goods/good-list.service.js";
import type { Good } from "../goods/good.model.js";
import { changePartOf, getGood } from "../goods/good.service.js";
import { type GoodProperty, goodPropertyList } from "./good-property.model.js";
import { type GoodPropertyValues, upsertGoodProperties } from "./good-property.sql.js";
import type { SyncGoodPropertyInput, UpdateGoodPropertyInput } from "./property.inputs.js";
import { GOOD_PROPERTY_OPTIONS } from "./property.masks.js";
import { getProperty } from "./property.service.js";

type GoodPropertyRow = Row<"GoodProperty">;

/** Condition for the properties of goods that are not deleted. */
const ofLiveGoods = (companyId: number): Where => ({
  companyId,
  goodId: { in: new RowsOf("Good", "id", { companyId, deletedAt: null }) },
});

/** One property of a good that is not deleted. @throws DomainError NOT_FOUND. */
export async function getGoodProperty({ db, companyId }: CompanyScope, id: number): Promise<GoodPropertyRow> {
  const row = await db.goodProperty.findFirst({ where: { ...ofLiveGoods(companyId), companyId, id } });
  if (row === null) throw notFound("GoodProperty");
  return row;
}

export function listGoodProperties(
  { db, companyId }: CompanyScope,
  args: ListArguments,
): Promise<Connection<GoodProperty>> {
  return listPage(goodPropertyList, { delegate: db.goodProperty, where: ofLiveGoods(companyId) }, args);
}

/** The properties of all goods at once, at most 10,000, for apps that do not ask for pages. */
export function listAllGoodProperties(
  { db, companyId }: CompanyScope,
  offset: number,
): Promise<readonly GoodProperty[]> {
  const source = { delegate: db.goodProperty, where: ofLiveGoods(companyId) };
  return listAll(goodPropertyList, source, { offset });
}

/** A page of the goods that have the property. */
export async function listGoodsOfProperty(
  scope: CompanyScope,
  propertyId: number,
  args: ListArguments,
): Promise<Connection<Good>> {
  await getProperty(scope, propertyId);
  const { companyId } = scope;
  return listGoods(scope, args, {
    id: { in: new RowsOf("GoodProperty", "goodId", { companyId, propertyId }) },
  });
}

/** A page of the properties of one good, in the good's order. */
export async function listPropertiesOfGood(
  scope: CompanyScope,
  goodId: number,
  args: ListArguments,
): Promise<Connection<GoodProperty>> {
  const { db, companyId } = scope;
  await getGood(scope, goodId);
  const inTheirOrder = { orderBy: [{ field: "inOrder", direction: "asc" as const }] };
  const ordered = (args.orderBy ?? []).length > 0 ? args : { ...args, ...inTheirOrder };
  return listPage(
    goodPropertyList,
    { delegate: db.goodProperty, where: { companyId, goodId }, select: scope.selected("GoodProperty") },
    ordered,
  );
}

/**
 * Replaces all properties of a good by the given ones, in the given order and in one transaction. A property that the
 * good has already keeps its row; fields that are absent get their defaults, as in a new row.
 *
 * @throws DomainError NOT_FOUND for the good.
 */
export function syncGoodProperties(
  scope: CompanyScope,
  goodId: number,
  items: readonly SyncGoodPropertyInput[],
): Promise<GoodPropertyRow[]> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if (!(await changePartOf(inside, goodId))) throw notFound("Good");
    const propertyIds = items.map(({ propertyId }) => propertyId);
    const types = await typesOf(inside, propertyIds);
    await db.goodProperty.deleteMany({ where: { companyId, goodId, propertyId: { notIn: propertyIds } } });
    await upsertGoodProperties(
      inside,
      goodId,
      items.map((item) => valuesOf(item, types)),
    );
    const rows = await db.goodProperty.findMany({
      where: { companyId, goodId },
      orderBy: [{ inOrder: "asc" }],
    });
    return rows;
  });
}

const PROPERTIES_OF_GOOD: OrderedRows = { model: "GoodProperty", owner: "good_id", row: "property_id" };

/**
 * Changes a property of a good. When it moves to a place that another property has, that one makes room.
 *
 * @throws DomainError NOT_FOUND when the good does not have the property.
 */
export async function updateGoodProperty(
  scope: CompanyScope,
  goodId: number,
  propertyId: number,
  input: UpdateGoodPropertyInput,
): Promise<GoodPropertyRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const key = { companyId, goodId, propertyId };
    const stored = (await changePartOf(inside, goodId))
      ? await db.goodProperty.findFirst({ where: key })
      : null;
    if (stored === null) throw notFound("GoodProperty");
    const { displayName, disabled, inOrder } = input;
    if (inOrder !== undefined)
      await makeRoom(inside, PROPERTIES_OF_GOOD, { ownerId: goodId, rowId: propertyId, inOrder });
    const row = await db.goodProperty.update({
      where: { companyId_id: { companyId, id: stored.id } },
      data: {
        options: writeMask(GOOD_PROPERTY_OPTIONS, { ...input }, input.options, stored.options),
        ...(displayName !== undefined && { displayName }),
        ...(disabled !== undefined && { disabled }),
        ...(inOrder !== undefined && { inOrder }),
      },
    });
    return row;
  });
}

/** The masks that good properties start from when none is sent: the types of their properties. */
async function typesOf(
  { db, companyId }: CompanyScope,
  propertyIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const properties = await db.property.findMany({
    where: { companyId, id: { in: [...propertyIds] } },
    select: { id: true, type: true },
  });
  return new Map(properties.map(({ id, type }) => [id, type]));
}

function valuesOf(item: SyncGoodPropertyInput, types: ReadonlyMap<number, number>): GoodPropertyValues {
  return {
    propertyId: item.propertyId,
    displayName: item.displayName,
    options: writeMask(GOOD_PROPERTY_OPTIONS, { ...item }, item.options, types.get(item.propertyId) ?? 0),
    disabled: item.disabled ?? false,
  };
}
