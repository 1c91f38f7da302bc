import type { FieldError } from "../../core/errors/domain-error.js";
import { writeMask } from "../../core/masks/masks.js";
import { snakeCaseOf } from "../../core/names.js";
import type { Db } from "../../core/scope/company-scope.js";
import {
  branchPrices,
  findGoods,
  goodsByExternalIds,
  insertBranchGoods,
  insertGoods,
  linkCategories,
  lockShop,
  lookUpInIndexes,
  newGoodIds,
  updateBranchGoods,
  updateGoods,
  type BranchGoodValues,
  type FoundGood,
  type GoodBatchTarget,
  type GoodValues,
} from "./good-batch.sql.js";
import type { UnitConfigInput, UpdateGoodInput } from "./good.inputs.js";
import { missingOf, shortened } from "./good-cell.rules.js";
import { GOOD_TYPE } from "./good.masks.js";
import { settleTwins, type SecondAmounts } from "./good-twins.rules.js";

/** A good to create or to change. Its input has been checked; what is absent stays as it is. */
export interface GoodChange {
  /** The good that it is of, unless the shop has none of that id. */
  readonly id: number | null;
  readonly sku: string | null;
  readonly name: string | null;
  readonly good: UpdateGoodInput;
  readonly branchGood: { readonly priceE2?: number; readonly stock?: number; readonly disabled?: boolean };
  /** What a second column of an amount says, where it says something else than the first one. */
  readonly second: { readonly good: SecondAmounts; readonly branchGood: SecondAmounts };
  /** Parts of its unit, of which the others stay as they are; `null` where there are none. */
  readonly unitParts: Partial<UnitConfigInput> | null;
  readonly categoryIds: readonly number[];
}

export interface GoodBatchRules {
  /** Says whether goods that are not there are created, and those that are there changed. */
  readonly creates: boolean;
  readonly updates: boolean;
  /** What a new good has where its change says nothing. */
  readonly defaults: Pick<UpdateGoodInput, "type" | "notesEnabled" | "unit">;
  /** Checks a unit as it would be with the parts that change. */
  readonly check: (good: UpdateGoodInput) => readonly FieldError[];
}

/** What came of a change: of which good, or why it was refused. */
export type GoodOutcome =
  | {
      readonly kind: "created" | "updated" | "unchanged";
      readonly goodId: number;
      /** Whether the shop has no good of the id that the change has. */
      readonly isOfUnknownId: boolean;
    }
  | { readonly kind: "refused"; readonly errors: readonly FieldError[] };

/**
 * Creates and changes goods of a shop, in the transaction at hand. A good is found by its id, else by its external id, else by its
 * sku or, without one, by its name among those without; of two changes of the same good the second one is refused. Batches of one shop wait for each other, so that none
 * creates what another has just created. Rows in which nothing differs are not written.
 */
export async function writeGoods(
  db: Db,
  target: GoodBatchTarget,
  given: readonly GoodChange[],
  rules: GoodBatchRules,
): Promise<GoodOutcome[]> {
  await lockShop(db, target);
  await lookUpInIndexes(db);
  const { found, refusalOf } = await foundGoods(db, target, given);
  const settled = await settle(db, target, given, found, rules);
  const changes = settled.map(({ change }) => change);
  const outcomes: GoodOutcome[] = [];
  const created: { values: GoodValues; place: number }[] = [];
  const updated: { values: GoodValues; place: number }[] = [];
  changes.forEach((change, place) => {
    const [good, another] = found(change);
    const { errors } = settled[place] as Settled;
    const refusal = good === undefined || rules.updates ? refusalOf(change, good) : null;
    if (another !== undefined) outcomes[place] = refused(ambiguous(change));
    else if (refusal !== null) outcomes[place] = refused(refusal);
    else if (good === undefined) {
      const wrong = rules.creates ? [...missingOf(change.good), ...errors] : [unknown(change)];
      if (wrong.length > 0) outcomes[place] = refused(...wrong);
      else created.push({ values: newValues(change, rules.defaults), place });
    } else if (rules.updates && errors.length > 0) outcomes[place] = refused(...errors);
    else {
      outcomes[place] = { kind: "unchanged", goodId: good.id, isOfUnknownId: isOfUnknownId(change, good.id) };
      if (rules.updates) updated.push({ values: changedValues(change, good), place });
    }
  });
  const ids = await newGoodIds(db, created.length);
  const withIds = created.map(({ values, place }, i) => {
    const goodId = ids[i] as number;
    outcomes[place] = {
      kind: "created",
      goodId,
      isOfUnknownId: isOfUnknownId(changes[place] as GoodChange, goodId),
    };
    return { ...values, id: goodId };
  });
  await insertGoods(db, target, withIds);
  const changed = await updateGoods(
    db,
    target,
    updated.map(({ values }) => values),
  );
  const touched = [...created, ...updated].map(({ place }) => place);
  for (const id of await writeBranchGoods(db, target, changes, outcomes, touched)) changed.add(id);
  const links = touched.flatMap((place) => {
    const goodId = goodIdOf(outcomes[place] as GoodOutcome);
    return (changes[place] as GoodChange).categoryIds.map((categoryId) => ({ goodId, categoryId }));
  });
  for (const id of await linkCategories(db, target.companyId, links)) changed.add(id);
  return outcomes.map((outcome) =>
    outcome.kind === "unchanged" && changed.has(outcome.goodId) ? { ...outcome, kind: "updated" } : outcome,
  );
}

interface FoundGoods {
  /** The goods that a change is of: several where nothing says which one. */
  readonly found: (change: GoodChange) => readonly FoundGood[];
  /** Why a change cannot be made, be it for other goods or for changes before it, each of which is asked for in its order. */
  readonly refusalOf: (change: GoodChange, good: FoundGood | undefined) => FieldError | null;
}

async function foundGoods(
  db: Db,
  target: GoodBatchTarget,
  changes: readonly GoodChange[],
): Promise<FoundGoods> {
  const externalIds = changes.flatMap(({ good: { externalId } }) => externalId ?? []);
  const owners = await goodsByExternalIds(db, target.companyId, externalIds);
  const goods = await findGoods(db, target, {
    ids: [...changes.flatMap(({ id }) => id ?? []), ...owners.values()],
    skus: changes.flatMap(({ sku }) => sku ?? []),
    names: changes.flatMap(({ sku, name }) => (sku === null && name !== null ? [name] : [])),
  });
  const byId = new Map(goods.map((good) => [good.id, good]));
  const bySku = grouped(goods, ({ sku }) => sku);
  const byName = grouped(
    goods.filter(({ sku }) => sku === ""),
    ({ name }) => name,
  );
  const found = ({ id, sku, name, good: { externalId } }: GoodChange): readonly FoundGood[] => {
    const known = byId.get(id ?? 0) ?? byId.get(owners.get(externalId ?? "") ?? 0);
    if (known !== undefined) return [known];
    return (sku === null ? byName.get(name ?? "") : bySku.get(sku)) ?? [];
  };
  const taken = new Set<string>();
  return {
    found,
    refusalOf: (change, good) => {
      const { sku } = change;
      const owner = owners.get(change.good.externalId ?? "");
      // Whose it is in another shop is not for whoever is bound to this one.
      if (owner !== undefined && owner !== good?.id)
        return takenBy("externalId", byId.has(owner) ? owner : null);
      const isNewSku = sku !== null && good?.sku !== sku;
      const [other] = isNewSku ? (bySku.get(sku) ?? []) : [];
      if (other !== undefined) return takenBy("sku", other.id);
      const itself = good === undefined ? `name ${change.name}` : `good ${good.id}`;
      const keys = isNewSku ? [`sku ${sku}`, ...(good === undefined ? [] : [itself])] : [itself];
      if (keys.some((key) => taken.has(key))) return repeated(change);
      for (const key of keys) taken.add(key);
      return null;
    },
  };
}

/** A change that has each amount once and its unit as a whole, and what is wrong with amounts that it had twice, and with the unit. */
interface Settled {
  readonly change: GoodChange;
  readonly errors: readonly FieldError[];
}

async function settle(
  db: Db,
  target: GoodBatchTarget,
  changes: readonly GoodChange[],
  found: (change: GoodChange) => readonly FoundGood[],
  { check }: Pick<GoodBatchRules, "check">,
): Promise<Settled[]> {
  const isAtBranch = ({ second }: GoodChange) => Object.keys(second.branchGood).length > 0;
  const atBranch = changes.filter(isAtBranch).flatMap((change) => found(change).map(({ id }) => id));
  const prices = await branchPrices(db, target, atBranch);
  return changes.map((change) => {
    const { good, branchGood, second, unitParts } = change;
    const hasTwins = Object.keys(second.good).length > 0 || isAtBranch(change);
    if (!hasTwins && unitParts === null) return { change, errors: [] };
    const stored = found(change)[0] ?? null;
    const ofGood = settleTwins(good, second.good, stored && { ...stored });
    const there = stored && { priceE2: prices.get(stored.id) };
    const ofBranchGood = settleTwins(branchGood, second.branchGood, there);
    const unit = unitParts === null ? {} : wholeUnit(good.unitConfig, unitParts, stored);
    return {
      change: { ...change, good: { ...ofGood.values, ...unit }, branchGood: ofBranchGood.values },
      errors: [...ofGood.errors, ...ofBranchGood.errors, ...(unitParts === null ? [] : check(unit))],
    };
  });
}

/** A unit with parts that change, of what the change itself has as a whole or else the good. */
function wholeUnit(
  whole: UpdateGoodInput["unitConfig"],
  parts: Partial<UnitConfigInput>,
  stored: FoundGood | null,
): Pick<UpdateGoodInput, "unitConfig"> {
  const others = whole === undefined ? stored?.unitConfig : whole;
  return { unitConfig: { ...others, ...parts } as UnitConfigInput };
}

function grouped(
  goods: readonly FoundGood[],
  keyOf: (good: FoundGood) => string,
): ReadonlyMap<string, FoundGood[]> {
  const groups = new Map<string, FoundGood[]>();
  for (const good of goods) {
    const group = groups.get(keyOf(good));
    if (group === undefined) groups.set(keyOf(good), [good]);
    else group.push(good);
  }
  return groups;
}

/** Puts new goods and those that have values of their own there on sale at the branch. @returns the goods that differ now. */
async function writeBranchGoods(
  db: Db,
  { companyId, branchId }: GoodBatchTarget,
  changes: readonly GoodChange[],
  outcomes: readonly GoodOutcome[],
  touched: readonly number[],
): Promise<number[]> {
  if (branchId === null) return [];
  const rows = touched.map((place): BranchGoodValues => {
    const { branchGood } = changes[place] as GoodChange;
    return { good_id: goodIdOf(outcomes[place] as GoodOutcome), ...withEmptied(snakeCased(branchGood)) };
  });
  const added = await insertBranchGoods(db, { companyId, branchId }, rows);
  const others = rows.filter((row) => !added.has(row.good_id) && Object.keys(row).length > 1);
  return [...added, ...(await updateBranchGoods(db, { companyId, branchId }, others))];
}

function goodIdOf(outcome: GoodOutcome): number {
  if (outcome.kind === "refused") throw new Error("a refused change has no good");
  return outcome.goodId;
}

function newValues({ good, sku }: GoodChange, defaults: GoodBatchRules["defaults"]): GoodValues {
  const { type, notesEnabled, unit } = good;
  const details = good.details ?? good.shortDetails ?? good.name ?? "";
  return columnsOf({
    ...good,
    sku,
    details,
    shortDetails: good.shortDetails ?? shortened(good.details ?? good.name ?? ""),
    notesEnabled: notesEnabled ?? defaults.notesEnabled ?? false,
    unit: unit ?? defaults.unit ?? "",
    type: writeMask(GOOD_TYPE, good, type, defaults.type ?? 0),
  });
}

function changedValues({ good }: GoodChange, { id, type }: FoundGood): GoodValues {
  const mask = writeMask(GOOD_TYPE, good, good.type, type);
  return { id, ...withEmptied(columnsOf({ ...good, type: mask })) };
}

/** Adds the names of the columns that become null, which those that stay as they are do not have. */
function withEmptied(columns: GoodValues): GoodValues {
  const emptied = Object.keys(columns).filter((name) => columns[name] === null);
  return emptied.length === 0 ? columns : { ...columns, emptied };
}

function isOfUnknownId({ id }: GoodChange, goodId: number): boolean {
  return id !== null && id !== goodId;
}

/** The values of an input by the names of the columns; flags are in the mask already. */
function columnsOf(input: UpdateGoodInput & { sku?: string | null }): GoodValues {
  return snakeCased(input, (name) => !(name in GOOD_TYPE));
}

function snakeCased(
  values: object,
  isColumn: (name: string) => boolean = () => true,
): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && isColumn(name)) columns[columnOf(name)] = value;
  }
  return columns;
}

/** The columns of the fields that have been seen; there are as many as inputs have fields. */
const columnNames = new Map<string, string>();

function columnOf(name: string): string {
  let column = columnNames.get(name);
  if (column === undefined) {
    column = snakeCaseOf(name);
    columnNames.set(name, column);
  }
  return column;
}

function refused(...errors: FieldError[]): GoodOutcome {
  return { kind: "refused", errors };
}

/** @param goodId is null for a good that is not told. */
function takenBy(field: "externalId" | "sku", goodId: number | null): FieldError {
  const message = goodId === null ? "is already taken" : `is that of good ${goodId}`;
  return { field, rule: "unique", message };
}

function repeated({ sku }: GoodChange): FieldError {
  const field = sku === null ? "name" : "sku";
  return { field, rule: "unique", message: "names the good of a row before; each good has one row" };
}

function ambiguous({ sku }: GoodChange): FieldError {
  const field = sku === null ? "name" : "sku";
  return { field, rule: "unique", message: "is that of several goods of the shop" };
}

function unknown({ sku }: GoodChange): FieldError {
  const field = sku === null ? "name" : "sku";
  return { field, rule: "exists", message: "is that of no good of the shop" };
}
