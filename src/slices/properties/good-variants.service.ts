import { writeMask } from "../../core/masks/masks.js";
import type { Db } from "../../core/scope/company-scope.js";
import {
  keepProperty,
  lockGoodProperties,
  optionsOfGoods,
  propertiesLike,
  type OfferedProperty,
} from "./good-variants.sql.js";
import { GOOD_PROPERTY_OPTIONS, PROPERTY_TYPE } from "./property.masks.js";
import { replaceChoices } from "./property-choices.service.js";

/** The properties of a good of which one option is chosen, each for a difference in price. */
export type GoodVariants = readonly {
  readonly name: string;
  readonly options: readonly { readonly name: string; readonly priceE2: number }[];
}[];

interface Target {
  readonly companyId: number;
  readonly branchGroupId: number | null;
}

/**
 * Gives goods of a shop properties with options, in the transaction at hand. A property of the good with that name is changed if
 * no other good has it; else the good gets one of the shop that is the same, or a new one. Properties that are not named stay.
 *
 * @returns the goods that differ now.
 */
export async function writeGoodVariants(
  db: Db,
  target: Target,
  goods: readonly { readonly goodId: number; readonly variants: GoodVariants }[],
): Promise<Set<number>> {
  const changed = new Set<number>();
  if (goods.length === 0) return changed;
  const ids = goods.map(({ goodId }) => goodId);
  await lockGoodProperties(db, target.companyId, ids);
  const offered = await optionsOfGoods(db, target.companyId, ids);
  for (const { goodId, variants } of goods) {
    const own = offered.filter((property) => property.goodId === goodId);
    for (const wanted of variants) {
      const there = ofName(own, wanted.name);
      if (there !== undefined && isSame(there, wanted)) continue;
      changed.add(goodId);
      await write(db, target, goodId, wanted);
    }
  }
  return changed;
}

/** Gives a good a property as it is wanted. What the good has is read anew: goods before it may have got its property, too. */
async function write(db: Db, target: Target, goodId: number, wanted: Wanted): Promise<void> {
  const own = await optionsOfGoods(db, target.companyId, [goodId]);
  const there = ofName(own, wanted.name);
  if (there?.isShared === false) await changeOptions(db, target, there, wanted);
  else await offer(db, target, { goodId, there, own }, wanted);
}

function ofName(own: readonly OfferedProperty[], name: string): OfferedProperty | undefined {
  return own.find(({ displayName, isOfOptions }) => isOfOptions && displayName === name);
}

type Wanted = GoodVariants[number];

function isSame({ options }: Pick<OfferedProperty, "options">, wanted: Wanted): boolean {
  return (
    options.length === wanted.options.length &&
    options.every(({ name, priceE2 }, i) => {
      const option = wanted.options[i];
      return option?.name === name && option.priceE2 === Number(priceE2);
    })
  );
}

/** Changes the options of a property that one good alone has; those of the same name keep their ids. */
async function changeOptions(
  db: Db,
  { companyId }: Target,
  { propertyId, options }: OfferedProperty,
  wanted: Wanted,
): Promise<void> {
  const byName = new Map(options.map((option) => [option.name, option]));
  const rows = wanted.options.map(({ name, priceE2 }, inOrder) => {
    const { id, isDefault = false } = byName.get(name) ?? {};
    return { id, name, priceE2, inOrder, isDefault };
  });
  const storedIds = options.map(({ id }) => id);
  await replaceChoices({ db, companyId }, propertyId, storedIds, rows);
}

/** Gives a good a property of the shop with just these options, in the place of the one that it has by that name. */
async function offer(
  db: Db,
  target: Target,
  {
    goodId,
    there,
    own,
  }: { goodId: number; there: OfferedProperty | undefined; own: readonly OfferedProperty[] },
  wanted: Wanted,
): Promise<void> {
  const { companyId, branchGroupId } = target;
  const taken = own.map(({ propertyId }) => propertyId);
  const propertyId =
    (await findSame(db, target, taken, wanted)) ?? (await create(db, { companyId, branchGroupId }, wanted));
  if (there !== undefined) {
    const where = { companyId_id: { companyId, id: there.goodPropertyId } };
    await db.goodProperty.update({ where, data: { propertyId } });
    return;
  }
  const flags = {
    isTypeOptions: true,
    minCount: 1,
    maxCount: 1,
    isDynamic: wanted.options.some(({ priceE2 }) => priceE2 > 0),
  };
  const options = writeMask(GOOD_PROPERTY_OPTIONS, flags, null, 0);
  await db.goodProperty.create({
    data: { companyId, goodId, propertyId, displayName: wanted.name, options, inOrder: own.length + 1 },
  });
}

/** Finds a property with just these options other than some. Until the transaction ends nobody changes it. */
async function findSame(
  db: Db,
  target: Target,
  taken: readonly number[],
  wanted: Wanted,
): Promise<number | undefined> {
  const alike = await propertiesLike(db, target, wanted.name);
  const same = alike.find((property) => !taken.includes(property.propertyId) && isSame(property, wanted));
  if (same === undefined || (await keepProperty(db, target.companyId, same))) return same?.propertyId;
  return findSame(db, target, taken, wanted);
}

async function create(
  db: Db,
  { companyId, branchGroupId }: Target,
  { name, options }: Wanted,
): Promise<number> {
  const type = PROPERTY_TYPE.isTypeOptions.bits;
  const { id: propertyId } = await db.property.create({ data: { companyId, branchGroupId, name, type } });
  const rows = options.map((option, inOrder) => ({ companyId, propertyId, ...option, inOrder }));
  if (rows.length > 0) await db.propertyOption.createMany({ data: rows });
  return propertyId;
}
