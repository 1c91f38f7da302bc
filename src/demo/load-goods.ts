import { writeMask } from "../core/masks/masks.js";
import { GOOD_PROPERTY_OPTIONS } from "../slices/properties/property.masks.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import { barcode, goodRow, goodsOfGroups, type GroupedGood } from "./good-row.js";
import { type LoadedCatalogue, typeOf } from "./load-catalogue.js";
import type { LoadedShops } from "./load-shops.js";
import { NameIndex } from "./name-index.js";

/** One good, as far as branches and sales need to know it. */
export interface LoadedGood {
  readonly id: number;
  readonly shopId: number;
  readonly priceE2: number;
  readonly isStocked: boolean;
  readonly isWeighed: boolean;
  readonly properties: readonly { id: number; inOrder: number }[];
}

interface GoodsContext {
  readonly shops: LoadedShops;
  readonly catalogue: LoadedCatalogue;
}

/** Goods with their properties, categories, tags and materials. @returns those that are on sale. */
export async function loadGoods(
  target: DemoTarget,
  { shops, catalogue }: GoodsContext,
): Promise<LoadedGood[]> {
  const { db, companyId, data, random } = target;
  const all = goodsOfGroups(data.catalogue.goods);
  const ids = new NameIndex(
    "good",
    await insertRows(
      db,
      "Good",
      all.map((good, index) => ({
        ...goodRow(
          good,
          good.group.hasBarcode ? [barcode(data.catalogue.barcodePrefix, index + 1)] : [],
          random,
        ),
        companyId,
        goodTypeId: catalogue.goodTypes.get(good.group.goodType),
        branchGroupId: shops.shops.get(good.group.shop),
      })),
      ["id", "name"],
    ),
  );
  await loadLinks(target, all, ids, catalogue);
  const properties = await loadGoodProperties(target, all, ids, catalogue);
  const onSale = all.filter(({ isDeleted }) => isDeleted !== true);
  return onSale.map((good) => {
    const id = ids.get(good.name);
    return {
      id,
      shopId: shops.shops.get(good.group.shop),
      priceE2: good.priceE2,
      isStocked: good.group.isStocked ?? false,
      isWeighed: good.unitConfig !== undefined,
      properties: properties.get(id) ?? [],
    };
  });
}

async function loadLinks(
  { db, companyId }: DemoTarget,
  all: readonly GroupedGood[],
  ids: NameIndex,
  catalogue: LoadedCatalogue,
): Promise<void> {
  await insertRows(
    db,
    "GoodCategory",
    all.map(({ name, group }) => ({
      companyId,
      goodId: ids.get(name),
      categoryId: catalogue.categories.get(group.category),
    })),
  );
  await insertRows(
    db,
    "GoodTagGood",
    all.flatMap(({ name, tags = [] }) =>
      tags.map((tag) => ({ companyId, goodId: ids.get(name), goodTagId: catalogue.tags.get(tag) })),
    ),
  );
  await insertRows(
    db,
    "GoodMaterial",
    all.flatMap(({ name, materials = [] }) =>
      materials.map(([material, quantityReal]) => ({
        companyId,
        goodId: ids.get(name),
        materialId: catalogue.materials.get(material),
        quantityReal,
      })),
    ),
  );
}

/** @returns the properties of each good by its id. */
async function loadGoodProperties(
  { db, companyId, data }: DemoTarget,
  all: readonly GroupedGood[],
  ids: NameIndex,
  catalogue: LoadedCatalogue,
): Promise<Map<number, { id: number; inOrder: number }[]>> {
  const typeByName = new Map(data.catalogue.properties.map((property) => [property.name, typeOf(property)]));
  const rows = await insertRows(
    db,
    "GoodProperty",
    all.flatMap(({ name, properties = [] }) =>
      properties.map(({ property, displayName, ...flags }, index) => ({
        companyId,
        goodId: ids.get(name),
        propertyId: catalogue.properties.get(property),
        displayName,
        options: writeMask(GOOD_PROPERTY_OPTIONS, flags, null, typeByName.get(property) ?? 0),
        inOrder: index + 1,
      })),
    ),
    ["id", "goodId", "inOrder"],
  );
  const byGood = new Map<number, { id: number; inOrder: number }[]>();
  for (const { goodId, ...row } of rows) byGood.set(goodId, [...(byGood.get(goodId) ?? []), row]);
  return byGood;
}
