import type { Row } from "../../core/db/db.js";
import { notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { categoryService } from "./category.service.js";
import { getGoodType } from "./good-type.service.js";
import type { GoodMaterialInput } from "./good.inputs.js";
import { changePartOf, goodsInOrder } from "./good.service.js";
import { lockGoods, lockGoodsOfTag, lockTag, upsertGoodMaterial } from "./good-links.sql.js";

type GoodRow = Row<"Good">;
type GoodMaterialRow = Row<"GoodMaterial">;

/** Gives the good a type, in place of another one. @throws DomainError NOT_FOUND. */
export async function linkGoodType(
  scope: CompanyScope,
  goodId: number,
  goodTypeId: number,
): Promise<GoodRow> {
  const { db, companyId } = scope;
  await getGoodType(scope, goodTypeId);
  const [row] = await db.good.updateManyAndReturn({
    where: { companyId, id: goodId, deletedAt: null },
    data: { goodTypeId },
  });
  if (row === undefined) throw notFound("Good");
  return row;
}

/** Takes the type from the good. @throws DomainError NOT_FOUND, also when the good is of another type. */
export async function unlinkGoodType(
  { db, companyId }: CompanyScope,
  goodId: number,
  goodTypeId: number,
): Promise<GoodRow> {
  const [row] = await db.good.updateManyAndReturn({
    where: { companyId, id: goodId, goodTypeId, deletedAt: null },
    data: { goodTypeId: null },
  });
  if (row === undefined) throw notFound("GoodType");
  return row;
}

/** Sets how much of a material the good needs, in place of an earlier quantity. @throws DomainError NOT_FOUND. */
export function linkGoodMaterial(
  scope: CompanyScope,
  goodId: number,
  materialId: number,
  { quantityReal, extras = [] }: GoodMaterialInput,
): Promise<GoodMaterialRow> {
  return scope.transaction(async (inside) => {
    if (!(await changePartOf(inside, goodId))) throw notFound("Good");
    const link = await upsertGoodMaterial(inside, { goodId, materialId, quantityReal, extras });
    if (link === null) throw notFound("Material");
    return link;
  });
}

/**
 * Unlinks a material.
 *
 * @returns the link as it was.
 * @throws DomainError NOT_FOUND, also when the good does not need the material.
 */
export function unlinkGoodMaterial(
  scope: CompanyScope,
  goodId: number,
  materialId: number,
): Promise<GoodMaterialRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const where = { companyId, goodId, materialId };
    const link = (await changePartOf(inside, goodId)) ? await db.goodMaterial.findFirst({ where }) : null;
    if (link === null) throw notFound("GoodMaterial");
    await db.goodMaterial.deleteMany({ where });
    return link;
  });
}

/** Makes these the only goods with the tag. @returns them, in the order given. */
export function replaceGoodsOfTag(
  scope: CompanyScope,
  goodTagId: number,
  goodIds: readonly number[],
): Promise<GoodRow[]> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    // The goods are a part of the tag, and it is a part of them.
    if (!(await lockTag(inside, goodTagId))) throw notFound("GoodTag");
    await lockGoodsOfTag(inside, goodTagId, goodIds);
    await db.goodTagGood.deleteMany({ where: { companyId, goodTagId, goodId: { notIn: [...goodIds] } } });
    await db.goodTagGood.createMany({
      data: goodIds.map((goodId) => ({ companyId, goodTagId, goodId })),
      skipDuplicates: true,
    });
    return goodsInOrder(inside, goodIds);
  });
}

/** Puts goods into a category; those that are there stay. @returns the goods given, in that order. */
export function addGoodsToCategory(
  scope: CompanyScope,
  categoryId: number,
  goodIds: readonly number[],
): Promise<GoodRow[]> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await categoryService.get(inside, categoryId);
    await lockGoods(inside, goodIds);
    await db.goodCategory.createMany({
      data: goodIds.map((goodId) => ({ companyId, categoryId, goodId })),
      skipDuplicates: true,
    });
    return goodsInOrder(inside, goodIds);
  });
}
