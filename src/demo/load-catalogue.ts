import { PROPERTY_TYPE } from "../slices/properties/property.masks.js";
import { writeMask } from "../core/masks/masks.js";
import type { PropertyData } from "./demo-company.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedShops } from "./load-shops.js";
import { NameIndex } from "./name-index.js";

/** What goods hang on. */
export interface LoadedCatalogue {
  readonly goodTypes: NameIndex;
  readonly tags: NameIndex;
  readonly materials: NameIndex;
  readonly categories: NameIndex;
  readonly properties: NameIndex;
}

const NAMED = ["id", "name"] as const;

/** Good types, tags, materials, categories in two levels, and properties. */
export async function loadCatalogue(target: DemoTarget, shops: LoadedShops): Promise<LoadedCatalogue> {
  const { db, companyId, data } = target;
  const { goodTypes, tags, materials } = data.catalogue;
  const named = (name: string) => ({ companyId, name });
  const types = await insertRows(db, "GoodType", goodTypes.map(named), NAMED);
  const goodTags = await insertRows(db, "GoodTag", tags.map(named), NAMED);
  const stuff = await insertRows(
    db,
    "Material",
    materials.map((material) => ({ ...material, companyId })),
    NAMED,
  );
  return {
    goodTypes: new NameIndex("good type", types),
    tags: new NameIndex("tag", goodTags),
    materials: new NameIndex("material", stuff),
    categories: await loadCategories(target),
    properties: await loadProperties(target, shops),
  };
}

/** @returns the lower level, which goods are in. */
async function loadCategories({ db, companyId, data }: DemoTarget): Promise<NameIndex> {
  const { categories } = data.catalogue;
  const parents = new NameIndex(
    "category",
    await insertRows(
      db,
      "Category",
      categories.map(({ name }, inOrder) => ({ companyId, name, inOrder })),
      NAMED,
    ),
  );
  const children = categories.flatMap((parent) =>
    parent.children.map((name, inOrder) => ({
      companyId,
      name,
      inOrder,
      parentId: parents.get(parent.name),
    })),
  );
  return new NameIndex("category", await insertRows(db, "Category", children, NAMED));
}

async function loadProperties({ db, companyId, data }: DemoTarget, shops: LoadedShops): Promise<NameIndex> {
  const { properties } = data.catalogue;
  const ids = new NameIndex(
    "property",
    await insertRows(
      db,
      "Property",
      properties.map((property) => ({
        companyId,
        name: property.name,
        type: typeOf(property),
        branchGroupId: property.shop === undefined ? null : shops.shops.get(property.shop),
      })),
      NAMED,
    ),
  );
  const ofProperty = ({ name }: PropertyData) => ({ companyId, propertyId: ids.get(name) });
  await insertRows(
    db,
    "PropertyOption",
    properties.flatMap((property) =>
      (property.options ?? []).map(([name, priceE2], inOrder) => ({
        ...ofProperty(property),
        name,
        priceE2,
        inOrder,
        isDefault: name === property.defaultOption,
      })),
    ),
  );
  await insertRows(
    db,
    "PropertyRange",
    properties.flatMap((property) =>
      property.range === undefined ? [] : [{ ...ofProperty(property), ...property.range }],
    ),
  );
  await insertRows(
    db,
    "PropertyText",
    properties.flatMap((property) =>
      property.text === undefined ? [] : [{ ...ofProperty(property), ...property.text }],
    ),
  );
  return ids;
}

/** The mask of what a property takes. */
export function typeOf({ options, range, text }: PropertyData): number {
  const flags = {
    isTypeOptions: options !== undefined,
    isTypeRange: range !== undefined,
    isTypeText: text !== undefined,
  };
  return writeMask(PROPERTY_TYPE, flags, null, 0);
}
