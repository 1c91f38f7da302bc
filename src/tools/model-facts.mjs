/**
 * Reads what `prisma/schema` says of each model beside its columns, and writes it down for the service: Prisma's client keeps
 * neither names of tables nor comments. Marks are lines of a model's comment; `prisma/README.md` lists them.
 */

const MODEL = /(?<comment>(?:^\/\/\/.*\n)*)^model (?<name>\w+) \{\n(?<body>[^]*?)^\}/gmu;

const MARKS = new Set([
  "audited",
  "unaudited",
  "counted",
  "private",
  "principal",
  "grants",
  "partOf",
  "binds",
  "placedBy",
  "reach",
  "about",
  "personal",
]);
/** What an admin type may be bound to. */
const BINDS = ["branchGroupIds", "branchIds"];
/** What somebody who is bound reaches of rows of which no relation says it; the last two go by the rows that they are about. */
const REACHES = ["all", "none", "seen", "own"];
/** The word of `@personal` for rows that go as a whole. */
const REMOVED = "removed";
/** The kinds of callers that have rows of their own. */
const PRINCIPALS = ["admin", "client"];

/**
 * Returns the text of `src/generated/models.ts`.
 *
 * @param {string[]} files are the texts of the files of the schema.
 * @throws {Error} for a model without a mark, for a mark that is not known or cannot be read, and for marks that contradict each
 *   other or the columns.
 */
export function modelFacts(files) {
  const models = files
    .flatMap((text) => [...text.matchAll(MODEL)])
    .map(({ groups: { name, comment, body } }) => readModel(name, comment, body))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const facts = Object.fromEntries(models.map((model) => [model.name, factsOf(model, models)]));
  return `// Generated from prisma/schema by src/tools/model-facts.mjs.
import type { Prisma, PrismaClient } from "./prisma/client.js";
import type * as rows from "./prisma/models.js";

/** The rows of the models, with all their columns. */
export interface ModelRows {
${models.map(({ name }) => `  ${name}: rows.${name}Model;`).join("\n")}
}

export type ModelName = keyof ModelRows;

/** The tables of the models, as their names say them in code: \`GoodProperty\` → \`goodProperty\`. */
export type ModelTables = Pick<PrismaClient, Uncapitalize<ModelName>>;

/** What is written to the columns of a model, column by column. */
export interface ModelChanges {
${models.map(({ name }) => `  ${name}: Prisma.${name}UncheckedUpdateInput;`).join("\n")}
}

/** What a JSON column takes for NULL. */
export type NoJson = typeof Prisma.DbNull;

/** How the audit trail follows the rows of a model. */
export interface AuditFacts {
  /** The columns whose values nobody may see. */
  readonly hides: readonly string[];
  /** The columns whose changes count; all when it is empty. */
  readonly updates: readonly string[];
  /** The columns that no client knows. */
  readonly omits: readonly string[];
  /** What clients call a column where that is not its name: \`currency.iso\`; nothing where its keys stand beside each other. */
  readonly shows: Readonly<Record<string, string>>;
  /** The columns, and keys within columns, that the service works out of others by itself. */
  readonly follows: readonly string[];
  /** Whether the entries of new rows are written once for the whole statement. */
  readonly inBatches: boolean;
}

/** A row that the rows of a model are parts of. */
export interface WholeFacts {
  readonly model: ModelName;
  readonly table: string;
  /** The field of the part with the key of the whole. */
  readonly name: string;
  readonly column: string;
  /** What the whole calls its parts. */
  readonly field: string;
  /** The column whose changes alone count, null in a row that is no part yet; \`null\` where all changes count. */
  readonly by: string | null;
}

/** A relation to rows of the same company. */
export interface RelationFacts {
  readonly model: ModelName;
  readonly table: string;
  /** The fields that name the other row, without that of the company, and their columns. */
  readonly fields: readonly string[];
  readonly columns: readonly string[];
  /** The columns of the other row that they name. */
  readonly references: readonly string[];
  readonly isRequired: boolean;
}

/** To whom the rows of a model are private. */
export interface OwnerFacts {
  /** The field with the id of the owner. */
  readonly field: string;
  readonly column: string;
  /** The table of the owners. */
  readonly table: string;
}

/** Columns that name a row of any model: its kind, as the model or in snake_case, and its id. */
export interface AboutFacts {
  readonly kind: string;
  readonly id: string;
}

/** What a caller who is bound to shops reaches of rows of which no relation says it. */
export type ReachFacts =
  | { readonly rows: "all" }
  | { readonly rows: "none" }
  | {
      /** Those about rows that the caller reads, or about those of its own shops and branches alone. */
      readonly rows: "seen" | "own";
      /** The model of the row that they are about, or the column with its kind: one of them is \`null\`. */
      readonly model: ModelName | null;
      readonly kind: string | null;
      /** The column with its id. */
      readonly id: string;
      /** The column with the ids by which a row that is gone or has moved led to its shop; \`null\` where none has them. */
      readonly place: string | null;
    };

/** A column with what is known of a person, and what stands in its place once that is erased. */
export interface PersonalFacts {
  readonly column: string;
  /** The value as SQL writes it; \`null\` in rows that are removed, where the trail alone has the column. */
  readonly empty: string | null;
}

export interface ModelFacts {
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The fields that are columns. */
  readonly fields: readonly string[];
  /** The name of each one's column and its type in the schema, in the order of the fields. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** The models to which relations lead, by their fields. */
  readonly related: Readonly<Record<string, ModelName>>;
  /** Those of them that hold JSON. */
  readonly json: readonly string[];
  /** The columns that hold bytes, such as hashes. */
  readonly bytes: readonly string[];
  /** Whether its rows belong to one company each: it has the field \`companyId\`. */
  readonly isTenant: boolean;
  /** Whether a deleted row is kept and can be restored: it has the field \`deletedAt\`. */
  readonly isSoftDeleted: boolean;
  /** Whether the database counts its rows while they are written. */
  readonly isCounted: boolean;
  /** The fields that a key or an index of the schema begins with, behind the company and the owner. */
  readonly indexed: readonly string[];
  /** The fields with the ids of rows of other tables. */
  readonly links: readonly string[];
  /** \`null\` for rows that are private to nobody. */
  readonly owner: OwnerFacts | null;
  /** The relations to rows of the same company. */
  readonly relations: readonly RelationFacts[];
  /** The list of an admin type that names its rows to bind admins to them; \`null\` where none does. */
  readonly binds: ${BINDS.map((list) => `"${list}"`).join(" | ")} | null;
  /** The field of the relation whose row says to which shop its rows belong; \`null\` where all relations do. */
  readonly placedBy: string | null;
  /** What a caller reaches of its rows who is bound to shops; \`null\` where that follows from its relations. */
  readonly reach: ReachFacts | null;
  /** The columns that the database makes of others. */
  readonly made: readonly string[];
  /** The rows whose parts its rows are. */
  readonly wholes: readonly WholeFacts[];
  /** The kind of caller that its rows are; \`null\` when they are none. */
  readonly principal: ${PRINCIPALS.map((kind) => `"${kind}"`).join(" | ")} | null;
  /** Whether its rows say what admins may do. */
  readonly isGrant: boolean;
  /** How its rows name a row of any model, which they are about; \`null\` where they do not. */
  readonly about: AboutFacts | null;
  readonly personal: readonly PersonalFacts[];
  /** Whether a row is removed when the person that it is of is erased. */
  readonly goesWithPerson: boolean;
  /** \`null\` for a model whose rows the audit trail leaves out. */
  readonly audit: AuditFacts | null;
}

export const MODEL_FACTS: Readonly<Record<ModelName, ModelFacts>> = ${JSON.stringify(facts, null, 2)};
`;
}

/** Returns what is written of a model: its table, its columns by their fields, and its marks with what they say. */
function readModel(name, comment, body) {
  const columns = new Map(
    [...body.matchAll(/^ {2}(?<field>\w+) +\w(?<rest>.*)$/gmu)].map(({ groups: { field, rest } }) => [
      field,
      / @map\("(?<column>\w+)"\)/u.exec(rest)?.groups.column ?? field,
    ]),
  );
  const table = /^ {2}@@map\("(?<table>\w+)"\)/mu.exec(body)?.groups.table ?? name;
  const types = new Map(
    [...body.matchAll(/^ {2}(?<field>\w+) +(?<type>\w+)/gmu)].map(({ groups }) => [
      groups.field,
      groups.type,
    ]),
  );
  return { name, body, table, columns, types, marks: marksOf(name, comment, body) };
}

/** Returns the fields that are columns, not relations. */
function fieldsOf({ types }, models) {
  const names = new Set(models.map(({ name }) => name));
  return [...types].flatMap(([field, type]) => (names.has(type) || type === "Unsupported" ? [] : [field]));
}

function marksOf(name, comment, body) {
  const marks = new Map();
  for (const { groups } of comment.matchAll(/^\/\/\/ @(?<mark>\S*)(?<details>.*)$/gmu)) {
    const { mark, details } = groups;
    if (!MARKS.has(mark)) throw new Error(`${name}: there is no mark @${mark}.`);
    if (marks.has(mark)) throw new Error(`${name} has the mark @${mark} twice.`);
    marks.set(
      mark,
      details.split(" ").filter((word) => word !== ""),
    );
  }
  const misplaced = /^ *\/\/\/ (?<mark>@\S*)/mu.exec(body);
  if (misplaced !== null)
    throw new Error(`${name}: ${misplaced.groups.mark} stands within the model, not above it.`);
  return marks;
}

function factsOf(model, models) {
  const { body, columns, marks, table } = model;
  const key =
    /^ {2}@@id\(\[(?<fields>[\w, ]+)\]/mu.exec(body)?.groups.fields.split(/, */u) ??
    [...body.matchAll(/^ {2}(?<field>\w+) .* @id\b/gmu)].map(({ groups }) => groups.field);
  const facts = {
    table,
    key: columnsOf(model, key, "@@id"),
    fields: fieldsOf(model, models),
    columns: fieldsOf(model, models).map((field) => [columns.get(field), model.types.get(field)]),
    related: Object.fromEntries(
      [...model.types].filter(([, type]) => models.some(({ name }) => name === type)),
    ),
    json: fieldsOf(model, models).filter((field) => model.types.get(field) === "Json"),
    bytes: columnsOf(
      model,
      fieldsOf(model, models).filter((field) => model.types.get(field) === "Bytes"),
      "the table",
    ),
    isTenant: columns.has("companyId"),
    isSoftDeleted: columns.has("deletedAt"),
    isCounted: saysNothing(model, "counted"),
    indexed: indexedOf(model),
    links: [
      ...new Set(
        [...body.matchAll(/@relation\(.*fields: \[companyId, (?<field>\w+)\]/gu)].map(
          ({ groups }) => groups.field,
        ),
      ),
    ],
    relations: relationsOf(model, models),
    binds: oneOf(model, "binds", BINDS),
    placedBy: placedByOf(model, models),
    reach: reachOf(model, models),
    owner: ownerOf(model, models),
    made: [...model.types].flatMap(([field, type]) =>
      type === "Unsupported" ? [model.columns.get(field)] : [],
    ),
    wholes: wholesOf(model, models),
    principal: principalOf(model, models),
    isGrant: saysNothing(model, "grants"),
    about: aboutOf(model),
    personal: personalOf(model),
    goesWithPerson: marks.has("private") || marks.get("personal")?.[1] === REMOVED,
    audit: auditOf(model, models),
  };
  const ofCompany = ["counted", "private", "principal", "grants", "binds", "placedBy", "reach"].find((mark) =>
    marks.has(mark),
  );
  if (ofCompany !== undefined && !facts.isTenant)
    throw new Error(`${model.name} has the mark @${ofCompany}, but no companyId.`);
  return facts;
}

function columnsOf({ name, columns }, fields, where) {
  return fields.map((field) => {
    const column = columns.get(field);
    if (column === undefined) throw new Error(`${name} has no field ${field}, which ${where} names.`);
    return column;
  });
}

/** Returns whether a model has a mark that stands alone. */
function saysNothing({ name, marks }, mark) {
  const [word] = marks.get(mark) ?? [];
  if (word !== undefined) throw new Error(`${name}: @${mark} cannot say ${word}.`);
  return marks.has(mark);
}

/** Returns the fields that a key or an index begins with, behind the company and the owner. */
function indexedOf({ body, marks }) {
  const before = ["companyId", ...(marks.get("private") ?? [])];
  const first = [...body.matchAll(/^ {2}@@(?:id|unique|index)\(\[(?<fields>[\w, ]+)\]/gmu)]
    .map(({ groups }) => groups.fields.split(/, */u))
    .filter(([leading]) => leading === "companyId")
    .map((fields) => fields.find((field) => !before.includes(field)));
  return [...new Set(first.filter((field) => field !== undefined))];
}

/** Returns the owner that `@private` names by a field, from whose relation the owner's table follows. */
function ownerOf(model, models) {
  const { name, body, marks } = model;
  const words = marks.get("private");
  if (words === undefined) return null;
  if (words.length !== 1) throw new Error(`${name}: @private names one field.`);
  const [field] = words;
  const [column] = columnsOf(model, words, "@private");
  const relation = new RegExp(
    `^ {2}\\w+ +(?<owner>\\w+)\\?? +@relation\\(.*fields: \\[companyId, ${field}\\]`,
    "mu",
  ).exec(body);
  const owner = models.find((candidate) => candidate.name === relation?.groups.owner);
  if (owner === undefined)
    throw new Error(`${name}: ${field}, which @private names, is no relation within the company.`);
  if (!owner.marks.has("principal"))
    throw new Error(`${name}: @private names ${owner.name}, which is no @principal.`);
  return { field, column, table: owner.table };
}

/** Returns the relations to rows of the same company, of the rows that name the others. */
function relationsOf(model, models) {
  const relation =
    /^ {2}\w+ +(?<target>\w+)(?<optional>\??) +@relation\((?:"\w+", )?fields: \[companyId, (?<fields>[\w, ]+)\], references: \[companyId, (?<references>[\w, ]+)\]/gmu;
  return [...model.body.matchAll(relation)].map(({ groups: { target, optional, fields, references } }) => {
    const other = models.find(({ name }) => name === target);
    const named = fields.split(/, */u);
    return {
      model: target,
      table: other.table,
      fields: named,
      columns: columnsOf(model, named, "@relation"),
      references: columnsOf(other, references.split(/, */u), "@relation"),
      isRequired: optional === "",
    };
  });
}

/** Returns the field that `@placedBy` names: that of a relation which every row has. */
function placedByOf(model, models) {
  const words = model.marks.get("placedBy");
  if (words === undefined) return null;
  const [field] = words;
  const relation = relationsOf(model, models).find(
    ({ fields }) => fields.length === 1 && fields[0] === field,
  );
  if (words.length !== 1 || relation?.isRequired !== true)
    throw new Error(
      `${model.name}: @placedBy names one field, by which every row has a relation within the company.`,
    );
  return field;
}

/** Returns the word that a mark says, `null` for a model without the mark. */
function oneOf({ name, marks }, mark, known) {
  const words = marks.get(mark);
  if (words === undefined) return null;
  const [word] = words;
  if (words.length !== 1 || !known.includes(word))
    throw new Error(`${name}: @${mark} is one of ${known.join(" and ")}.`);
  return word;
}

/** Returns the wholes that `@partOf` names by a relation to each, and by what that calls its parts. */
function wholesOf(model, models) {
  const { name, body, columns, marks } = model;
  if (!marks.has("partOf")) return [];
  const said = marks.get("partOf");
  const end = said.includes("by") ? said.indexOf("by") : said.length;
  const [words, [, ...fields]] = [said.slice(0, end), said.slice(end)];
  if (words.length === 0) throw new Error(`${name}: @partOf names a relation, such as good=materials.`);
  if (end < said.length && fields.length !== 1)
    throw new Error(`${name}: @partOf names one field behind by.`);
  const [by = null] = columnsOf(model, fields, "@partOf");
  return words.map((word) => {
    const [relation, field] = word.split("=");
    const { whole, key } =
      new RegExp(
        `^ {2}${relation} +(?<whole>\\w+)\\?? +@relation\\(fields: \\[(?:companyId, )?(?<key>\\w+)\\]`,
        "mu",
      ).exec(body)?.groups ?? {};
    const found = models.find((candidate) => candidate.name === whole);
    if (found === undefined || !field)
      throw new Error(`${name}: ${word}, which @partOf says, is no relation with a name for its parts.`);
    if (!found.columns.has("version"))
      throw new Error(`${name}: @partOf names ${whole}, which has no version.`);
    return { model: whole, table: found.table, name: key, column: columns.get(key), field, by };
  });
}

/** Returns the columns that `@about` names: `targetType=targetId`. */
function aboutOf(model) {
  const words = model.marks.get("about");
  if (words === undefined) return null;
  const fields = words.length === 1 ? words[0].split("=") : [];
  if (fields.length !== 2) throw new Error(`${model.name}: @about says one pair of fields, kind=id.`);
  const [kind, id] = columnsOf(model, fields, "@about");
  return { kind, id };
}

/**
 * Returns what `@reach` says: a word, and of rows about others the pair `kind=id` of fields, or of a model and a field, and the field of
 * their place.
 */
function reachOf(model, models) {
  const { name, marks } = model;
  if (!marks.has("reach")) return null;
  const [rows, pair, place, ...others] = marks.get("reach");
  const isAbout = rows === "seen" || rows === "own";
  const fields = pair?.split("=") ?? [];
  if (!REACHES.includes(rows) || others.length > 0 || fields.length !== (isAbout ? 2 : 0))
    throw new Error(`${name}: @reach is one of all, none, seen kind=id and own kind=id.`);
  if (!isAbout) return { rows };
  const about = models.some((one) => one.name === fields[0]) ? fields.shift() : null;
  const columns = columnsOf(model, place === undefined ? fields : [...fields, place], "@reach");
  const kind = about === null ? columns.shift() : null;
  const [id, kept = null] = columns;
  return { rows, model: about, kind, id, place: kept };
}

/**
 * Returns the columns that `@personal` names, and what stands in the place of what is erased: null, or nothing where a text is required.
 * Rows that are removed need nothing.
 */
function personalOf(model) {
  const [list, word, ...others] = model.marks.get("personal") ?? [];
  if (list === undefined) return [];
  const isRemoved = word === REMOVED;
  if ((word !== undefined && !isRemoved) || others.length > 0)
    throw new Error(`${model.name}: @personal names fields, such as name,email, and may say ${REMOVED}.`);
  const fields = list.split(",");
  const columns = columnsOf(model, fields, "@personal");
  return fields.map((field, place) => {
    const [, type, mark] = new RegExp(`^ {2}${field} +(\\w+)(\\?|\\[\\])?`, "mu").exec(model.body) ?? [];
    const empty = mark === "?" ? "NULL" : type === "String" && mark === undefined ? "''" : null;
    if (empty === null && !isRemoved)
      throw new Error(`${model.name}: ${field}, which is @personal, cannot be emptied.`);
    return { column: columns[place], empty };
  });
}

function principalOf({ name, marks }, models) {
  const words = marks.get("principal");
  if (words === undefined) return null;
  const [kind] = words;
  if (words.length !== 1 || !PRINCIPALS.includes(kind))
    throw new Error(`${name}: @principal is one of ${PRINCIPALS.join(" and ")}.`);
  const other = models.find((model) => model.name !== name && model.marks.get("principal")?.[0] === kind);
  if (other !== undefined)
    throw new Error(`${name} and ${other.name} both have the mark @principal ${kind}.`);
  return kind;
}

/** Returns what a word says of fields, such as `labelKey:labelUrl`: the column of each, and what stands behind the separator. */
function pairsOf(model, fields, separator) {
  return fields.split(",").map((word) => {
    const [field, ...others] = word.split(separator);
    return [...columnsOf(model, [field], "@audited"), ...others];
  });
}

function auditOf(model, models) {
  const { name, marks } = model;
  const words = marks.get("audited") ?? marks.get("unaudited");
  if (words === undefined || (marks.has("audited") && marks.has("unaudited")))
    throw new Error(`${name} needs one of the marks @audited and @unaudited.`);
  if (saysNothing(model, "unaudited")) return null;
  const facts = { hides: [], updates: [], omits: [], shows: {}, follows: [], inBatches: false };
  for (const detail of words) {
    const [word, fields] = detail.split("=");
    if (["hides", "updates", "omits"].includes(word) && fields)
      facts[word] = columnsOf(model, fields.split(","), "@audited");
    else if (word === "shows" && fields)
      facts.shows = Object.fromEntries(
        pairsOf(model, fields, ":").map(([column, name = ""]) => [column, name]),
      );
    else if (word === "follows" && fields)
      facts.follows = pairsOf(model, fields, ".").map((place) => place.join("."));
    else if (word === "skips" && fields) {
      const skipped = columnsOf(model, fields.split(","), "@audited");
      const all = columnsOf(model, fieldsOf(model, models), "@audited");
      facts.updates = all.filter((column) => !skipped.includes(column));
    } else if (detail === "inBatches") facts.inBatches = true;
    else throw new Error(`${name}: @audited cannot say ${detail}.`);
  }
  return facts;
}
