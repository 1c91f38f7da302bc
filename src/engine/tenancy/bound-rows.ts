import { MODELS, type ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS, type ReachFacts } from "../../generated/models.js";

/**
 * What a caller who is bound to shops reaches of a table. Conditions are SQL; `{company}`, `{shops}`, `{branches}`, `{read}` and
 * `{self}` stand for values, see `BoundValues`, and `@` for what columns are named with.
 */
export interface Reach {
  /** The condition on rows that are read; `null` where all are. */
  readonly read: string | null;
  /** The condition on rows that are written; `null` where none are. */
  readonly written: string | null;
  /**
   * The same conditions on a row that has been written, which have no query: a distributed database refuses one there. Functions
   * look for the rows to which it leads. A shop or a branch that is out of the bounds itself is read where what it leads to is.
   */
  readonly ofNew: { readonly read: string; readonly written: string } | null;
  /** The columns that say to which shop a row belongs. */
  readonly columns: ReadonlySet<string>;
  /** The column of the shop around a row that somebody may be bound to without its shop, and so keeps in it; `null` for others. */
  readonly around: string | null;
}

/** A relation to a row of the same company by its id. */
interface Lead {
  readonly model: ModelName;
  readonly table: string;
  readonly name: string;
  readonly column: string;
  readonly isRequired: boolean;
}

/** The relations of each model, each one object, so that they can be compared. */
const LEADS: ReadonlyMap<ModelName, readonly Lead[]> = new Map(
  MODELS.map((of) => [
    of,
    MODEL_FACTS[of].relations.flatMap(({ model, table, fields, columns, references, isRequired }) => {
      const [name] = fields;
      const [column, ...others] = columns;
      if (name === undefined || column === undefined || others.length > 0 || references[0] !== "id")
        return [];
      return [{ model, table, name, column, isRequired }];
    }),
  ]),
);

/** The tables of which a bound caller reaches rows, by their names; what is missing here is closed to it. */
export function reachOfTables(): ReadonlyMap<string, Reach> {
  const reached = MODELS.flatMap((model) => {
    const reach = reachOf(model);
    return reach === null ? [] : [[MODEL_FACTS[model].table, reach] as const];
  });
  return new Map(reached);
}

/** Whether rows of the model belong to shops, so that a bound caller reaches some of them. */
export function isOfShops(model: ModelName): boolean {
  return isPlaced(model);
}

/** Whether a bound caller reads all rows of the model. */
export function isReadWhole(model: ModelName): boolean {
  return reachOf(model)?.read === null;
}

const ALL: Reach = { read: null, written: null, ofNew: null, columns: new Set(), around: null };

/**
 * What is reached of a model's rows. Those of a shop or a branch are, in the bounds; those of the whole company are read. What is kept
 * beside resources without a relation to a shop, such as the trail, may be about any of them: nothing is reached of it.
 */
function reachOf(model: ModelName): Reach | null {
  const { isTenant, reach, audit } = MODEL_FACTS[model];
  if (reach?.rows === "all") return ALL;
  if (reach?.rows === "none") return null;
  if (reach !== null) return { ...ALL, read: readAbout(model, reach) };
  if (!isTenant) return model === "Company" ? ALL : null;
  if (!isPlaced(model)) return audit === null ? null : ALL;
  const placed = placedRelations(model);
  const isPart = MODEL_FACTS[model].binds !== null || placed.some(({ isRequired }) => isRequired);
  if (audit === null && !isPart) return null;
  const columns = new Set(placed.map(({ column }) => column));
  const written = writable(model);
  const writtenNew = writable(model, byFunction);
  return {
    read: readable(model),
    written,
    ofNew: writtenNew === null ? null : { read: readableNew(model), written: writtenNew },
    columns,
    around:
      MODEL_FACTS[model].binds === "branchIds" ? (placeOf(model, "branchGroupIds")?.column ?? null) : null,
  };
}

/** The condition on rows that are read and about rows of some kinds alone; `null` for a model that is not about rows of any kind. */
export function readOfKinds(model: ModelName, kinds: readonly string[]): string | null {
  const { reach } = MODEL_FACTS[model];
  return reach?.rows === "seen" || reach?.rows === "own" ? readAbout(model, reach, kinds) : null;
}

type About = Extract<ReachFacts, { readonly rows: "seen" | "own" }>;

/**
 * The condition on rows that are about a row of any kind: that this is reached, or was where it has left or is gone. A row that is
 * there is looked up by its id.
 */
function aboutReached(
  { rows, model: only, kind, id, place }: About,
  kinds: readonly string[] = MODELS,
): string {
  const models = MODELS.filter((model) => (only === null || model === only) && kinds.includes(model));
  const cases = models.flatMap((model) => {
    const { table, key, reach, isTenant } = MODEL_FACTS[model];
    if (reach !== null && reach.rows !== "all") return [];
    const condition = rows === "seen" ? readOf(model) : isTenant && isPlaced(model) ? writable(model) : null;
    if (condition === null) return [];
    const ways: string[] = [];
    if (condition === "true") ways.push(condition);
    else if (key.includes("id"))
      ways.push(
        `EXISTS (SELECT 1 FROM "${table}" AS "it" WHERE "it"."company_id" = {company}::int AND "it"."id" = @"${id}" AND ${condition.replaceAll("@", '"it".')})`,
      );
    if (condition !== "true" && place !== null) {
      const kept = condition.replaceAll(/@"(\w+)"/gu, (_, column: string) =>
        column === "id" ? `@"${id}"::int` : `(@"${place}" ->> '${column}')::int`,
      );
      ways.push(`(@"${place}" IS NOT NULL AND ${kept})`);
    }
    return ways.length === 0 ? [] : [{ model, condition: any(ways) }];
  });
  if (kind === null) return cases[0]?.condition ?? "false";
  if (cases.length === 0) return "false";
  const whens = cases.map(({ model, condition }) => `WHEN '${model.toLowerCase()}' THEN ${condition}`);
  return `CASE lower(replace(@"${kind}", '_', '')) ${whens.join(" ")} ELSE false END`;
}

/** The condition on rows that are about others, by these, and by the branch and the shop that the rows name themselves. */
function readAbout(model: ModelName, about: About, kinds?: readonly string[]): string {
  const places = placesOf(model).flatMap((place) =>
    place === undefined ? [] : [unlessNull(place, byQuery)],
  );
  return all([aboutReached(about, kinds), ...places]);
}

/** The condition on rows of a model that are read; `true` where all are, `null` where none are. */
function readOf(model: ModelName): string | null {
  const reach = reachOf(model);
  return reach === null ? null : (reach.read ?? "true");
}

/** Whether rows of the model belong to shops or branches, by themselves or by what they are parts of. */
function isPlaced(model: ModelName, above: readonly ModelName[] = []): boolean {
  const { binds, reach } = MODEL_FACTS[model];
  if (reach !== null) return false;
  return (
    binds !== null || leading(model).some((to) => !above.includes(to) && isPlaced(to, [...above, model]))
  );
}

const leading = (model: ModelName): ModelName[] => relationsOfPlace(model).map((relation) => relation.model);

/** Who has done something says nothing of where: a relation to a caller counts only where every row has it. */
function relationsOfPlace(model: ModelName): readonly Lead[] {
  return (LEADS.get(model) ?? []).filter(
    (relation) =>
      relation.model !== model && (relation.isRequired || MODEL_FACTS[relation.model].principal === null),
  );
}

function placedRelations(model: ModelName): readonly Lead[] {
  return relationsOfPlace(model).filter((relation) => isPlaced(relation.model, [model]));
}

type List = NonNullable<(typeof MODEL_FACTS)[ModelName]["binds"]>;

/** The relation of a model to the rows that admins are bound to by a list. */
function placeOf(model: ModelName, list: List): Lead | undefined {
  return placedRelations(model).find((relation) => MODEL_FACTS[relation.model].binds === list);
}

/** The condition on a row of a shop or a branch itself. */
function isBound(model: ModelName, kind: Kind): string | null {
  const { binds } = MODEL_FACTS[model];
  if (binds === null) return null;
  if (binds === "branchGroupIds") return `@"id" = ANY (${kind === "read" ? "{read}" : "{shops}"}::int[])`;
  const shop = placeOf(model, "branchGroupIds");
  return any([
    `@"id" = ANY ({branches}::int[])`,
    ...(shop === undefined ? [] : [`@"${shop.column}" = ANY ({shops}::int[])`]),
  ]);
}

type Kind = "read" | "written";

/** How a condition looks for the row to which a relation leads. */
type Look = (lead: Lead, kind: Kind) => string;

const byQuery: Look = ({ model, table, column }, kind) => {
  const condition = (kind === "read" ? readable(model) : writable(model)) ?? "false";
  return `@"${column}" IN (SELECT "id" FROM "${table}" WHERE "company_id" = {company}::int AND ${condition.replaceAll("@", "")})`;
};

const byFunction: Look = ({ table, column }, kind) =>
  `"${reachFunction(table)}"({company}::int, @"${column}", ${String(kind === "written")}, {shops}::int[], {branches}::int[], {read}::int[], {self}::int)`;

/** The name of the function that says whether the row with an id is reached. */
export const reachFunction = (table: string): string => `reaches_${table}`;

/** The condition that a relation leads to a row that is reached. */
function leads(lead: Lead, kind: Kind, look: Look): string {
  const { model, column } = lead;
  if (MODEL_FACTS[model].binds !== "branchGroupIds") return look(lead, kind);
  return `@"${column}" = ANY (${kind === "read" ? "{read}" : "{shops}"}::int[])`;
}

/** The models to whose rows those of shops lead, other than shops. */
export function ledModels(): readonly ModelName[] {
  const led = MODELS.filter((model) => reachOf(model)?.ofNew != null).flatMap(placedRelations);
  return [...new Set(led.map(({ model }) => model))].filter(
    (model) => MODEL_FACTS[model].binds !== "branchGroupIds",
  );
}

const any = (conditions: readonly string[]): string =>
  conditions.length === 1 ? (conditions[0] as string) : `(${conditions.join(" OR ")})`;
const all = (conditions: readonly string[]): string =>
  conditions.length === 1 ? (conditions[0] as string) : `(${conditions.join(" AND ")})`;

/**
 * A row that leads to a branch belongs to that, else to its shop; without both it is the whole company's. All other rows to which it
 * leads have to be read, too: a relation that always has a row is never answered without.
 */
function readable(model: ModelName, look: Look = byQuery): string {
  const itself = isBound(model, "read");
  if (itself !== null) return itself;
  const [branch, shop] = placesOf(model);
  const conditions = placedRelations(model)
    .filter((relation) => relation !== branch && relation !== shop)
    .map((relation) => unlessNull(relation, look));
  if (branch !== undefined && shop !== undefined)
    conditions.push(
      `(${leads(branch, "read", look)} OR @"${branch.column}" IS NULL AND ${unlessNull(shop, look)})`,
    );
  else if (branch !== undefined) conditions.push(unlessNull(branch, look));
  else if (shop !== undefined) conditions.push(unlessNull(shop, look));
  const reached = all(conditions);
  return MODEL_FACTS[model].principal === "admin" ? `(@"id" = {self}::int OR ${reached})` : reached;
}

function readableNew(model: ModelName): string {
  if (MODEL_FACTS[model].binds === null) return readable(model, byFunction);
  const conditions = placedRelations(model).map((relation) => unlessNull(relation, byFunction));
  return conditions.length === 0 ? "true" : all(conditions);
}

function unlessNull(relation: Lead, look: Look): string {
  const leading = leads(relation, "read", look);
  return relation.isRequired ? leading : `(@"${relation.column}" IS NULL OR ${leading})`;
}

const placesOf = (model: ModelName) =>
  [placeOf(model, "branchIds"), placeOf(model, "branchGroupIds")] as const;

const isLink = (model: ModelName): boolean => !MODEL_FACTS[model].key.includes("id");

/** The relations to what the rows are parts of, and to what places them. */
function wholesOf(model: ModelName): readonly Lead[] {
  const { wholes, placedBy } = MODEL_FACTS[model];
  return placedRelations(model).filter(
    ({ name }) => name === placedBy || wholes.some((whole) => whole.name === name),
  );
}

/**
 * A row is written where its branch is, else its shop, or else what it is a part of; a link between rows where both are. The others to
 * which it leads have to be read at least.
 */
function writable(model: ModelName, look: Look = byQuery): string | null {
  const placed = placedRelations(model);
  const unless = (relation: Lead): string => unlessNull(relation, look);
  const itself = isBound(model, "written");
  if (itself !== null) return all([itself, ...placed.map(unless)]);
  const [branch, shop] = placesOf(model);
  if (branch !== undefined && shop !== undefined) {
    const others = placed.filter((relation) => relation !== branch).map(unless);
    const own = `(${leads(branch, "written", look)} OR @"${branch.column}" IS NULL AND ${leads(shop, "written", look)})`;
    return all([own, ...others]);
  }
  const owners = isLink(model) ? placed : ownersOf(model, branch ?? shop);
  if (owners.length === 0) return null;
  const others = placed.filter((relation) => !owners.includes(relation));
  return all([...owners.map((relation) => leads(relation, "written", look)), ...others.map(unless)]);
}

function ownersOf(model: ModelName, place: Lead | undefined): readonly Lead[] {
  if (place !== undefined) return [place];
  const parts = wholesOf(model);
  return parts.length > 0 ? parts : placedRelations(model).filter(({ isRequired }) => isRequired);
}
