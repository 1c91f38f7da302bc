import { MODEL_FACTS, type AboutFacts, type ModelFacts, type RelationFacts } from "../../generated/models.js";
import { sql, type Sql } from "../db/sql.js";
import { snakeCaseOf } from "../names.js";
import { targetTypeOf } from "../operations/audited-models.js";
import { TENANT_MODELS, type ModelName } from "../scope/tenant-models.js";

type PersonKind = NonNullable<ModelFacts["principal"]>;

/** A way from the rows of a model to the person that they are of. */
export type Way =
  /** A column has the person's id. */
  | { readonly by: "id"; readonly column: string }
  /** Columns name a row of any model, the person itself. */
  | { readonly by: "about"; readonly about: AboutFacts; readonly person: ModelName }
  /** Columns name a row of another model that is the person's. */
  | { readonly by: "relation"; readonly relation: RelationFacts; readonly rows: PersonRows };

/** Which rows of a model are of a person. */
export interface PersonRows {
  readonly model: ModelName;
  readonly ways: readonly Way[];
}

/** The model whose rows are callers of a kind. */
export function modelOfPerson(kind: PersonKind): ModelName {
  const model = TENANT_MODELS.find((name) => MODEL_FACTS[name].principal === kind);
  if (model === undefined) throw new Error(`No model has the mark @principal ${kind}.`);
  return model;
}

/**
 * Returns the models that have rows of a person, itself first: those that name the person, those that are about it
 * (`@about`), and those that name a row of these. Rows of other callers are not the person's, whoever they look after.
 */
export function rowsOfPerson(kind: PersonKind): readonly PersonRows[] {
  const person: PersonRows = { model: modelOfPerson(kind), ways: [{ by: "id", column: "id" }] };
  const others = TENANT_MODELS.filter((model) => MODEL_FACTS[model].principal === null);
  const named = others.flatMap((model) => {
    const column = namesPerson(model, kind);
    return column === null ? [] : [{ model, ways: [{ by: "id", column } as const] }];
  });
  const about = others.flatMap((model) => {
    const columns = MODEL_FACTS[model].about;
    return columns === null
      ? []
      : [{ model, ways: [{ by: "about", about: columns, person: person.model } as const] }];
  });
  return withParts(merged([person, ...named, ...about]));
}

function namesPerson(model: ModelName, kind: PersonKind): string | null {
  const { fields, relations } = MODEL_FACTS[model];
  const related = relations.find((relation) => relation.model === modelOfPerson(kind));
  if (related !== undefined) return related.columns[0] ?? null;
  return fields.includes(`${kind}Id`) ? snakeCaseOf(`${kind}Id`) : null;
}

function merged(rows: readonly PersonRows[]): PersonRows[] {
  const models = [...new Set(rows.map(({ model }) => model))];
  return models.map((model) => ({
    model,
    ways: rows.filter((one) => one.model === model).flatMap(({ ways }) => ways),
  }));
}

/** Adds the rows that name a row which is known already, by the shortest way. */
function withParts(known: readonly PersonRows[]): readonly PersonRows[] {
  const models = new Set(known.map(({ model }) => model));
  const parts = TENANT_MODELS.filter(
    (model) => !models.has(model) && MODEL_FACTS[model].principal === null,
  ).flatMap((model) => {
    const ways = MODEL_FACTS[model].relations.flatMap((relation): Way[] => {
      const rows = known.find((one) => one.model === relation.model);
      return rows === undefined ? [] : [{ by: "relation", relation, rows }];
    });
    return ways.length === 0 ? [] : [{ model, ways }];
  });
  return parts.length === 0 ? known : withParts([...known, ...parts]);
}

/**
 * The condition on what is kept of a person in the table of a model, whose columns stand without its name: its rows, and those about
 * any row of it. Who reads all of a person and who erases it go by the same.
 */
export function keptOfPerson(
  rows: PersonRows,
  known: readonly PersonRows[],
  companyId: Sql,
  personId: Sql,
): Sql {
  const own = conditionOf(rows, companyId, personId);
  const { about } = MODEL_FACTS[rows.model];
  if (about === null) return own;
  const named = known.filter(
    ({ model }) => MODEL_FACTS[model].about === null && MODEL_FACTS[model].key.includes("id"),
  );
  // Arrays of ids, so that an index finds what is about them.
  const others = named.map((one) => {
    const ids = sql`ANY (ARRAY(${idsOfPerson(one, companyId, personId)}))`;
    return sql`(${quoted([about.kind])} IN ${kindsOf(one.model)} AND ${quoted([about.id])} = ${ids})`;
  });
  return sql`((${own}) OR company_id = ${companyId} AND (${sql.join(others, " OR ")}))`;
}

/** The condition on the rows of a person, whose columns stand without the name of their table. */
export function conditionOf({ ways }: PersonRows, companyId: Sql, personId: Sql): Sql {
  const conditions = ways.map((way) => {
    switch (way.by) {
      case "id":
        return sql`${quoted([way.column])} = ${personId}`;
      case "about":
        return sql`(${quoted([way.about.kind])} IN ${kindsOf(way.person)} AND ${quoted([way.about.id])} = ${personId})`;
      case "relation": {
        const { columns, references } = way.relation;
        return sql`(${quoted(columns)}) IN ${selected(way.rows, references, companyId, personId)}`;
      }
    }
  });
  return sql`company_id = ${companyId} AND (${sql.join(conditions, " OR ")})`;
}

/** The names of a model where rows say what they are about. */
const kindsOf = (model: ModelName): Sql => sql.raw(`('${snakeCaseOf(model)}', '${model}')`);

/** A query of the ids of a person's rows: of those that are there, and of those that the trail alone remembers. */
export function idsOfPerson(rows: PersonRows, companyId: Sql, personId: Sql): Sql {
  if (rows.ways.some((way) => way.by === "id" && way.column === "id")) return sql`SELECT ${personId}::bigint`;
  const { table, audit } = MODEL_FACTS[rows.model];
  const there = sql`
           SELECT "id"::bigint FROM ${quoted([table])} WHERE ${conditionOf(rows, companyId, personId)}`;
  if (audit === null) return there;
  const gone = rows.ways.map((way) => sql`(${remembered(way, companyId, personId)})`);
  return sql`${there}
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = ${companyId} AND "target_type" = '${sql.raw(targetTypeOf(rows.model))}' AND (${sql.join(gone, " OR ")})`;
}

/** The condition on an entry of the trail whose changes say that the row is the person's. */
function remembered(way: Way, companyId: Sql, personId: Sql): Sql {
  switch (way.by) {
    case "id":
      return sql`"changes" -> '${sql.raw(way.column)}' @> to_jsonb(${personId})`;
    case "about": {
      const kinds = [snakeCaseOf(way.person), way.person].map((name) => `'"${name}"'`);
      const isKind = kinds.map((name) => `"changes" -> '${way.about.kind}' @> ${name}`).join(" OR ");
      return sql`(${sql.raw(isKind)}) AND "changes" -> '${sql.raw(way.about.id)}' @> to_jsonb(${personId})`;
    }
    case "relation": {
      const column = sql.raw(`'${way.relation.columns[0]}'`);
      const ids = sql`ANY (ARRAY(${idsOfPerson(way.rows, companyId, personId)}))`;
      return sql`("changes" -> ${column} ->> 0)::bigint = ${ids} OR ("changes" -> ${column} ->> 1)::bigint = ${ids}`;
    }
  }
}

function selected(rows: PersonRows, columns: readonly string[], companyId: Sql, personId: Sql): Sql {
  const table = quoted([MODEL_FACTS[rows.model].table]);
  return sql`(SELECT ${quoted(columns)} FROM ${table} WHERE ${conditionOf(rows, companyId, personId)})`;
}

function quoted(names: readonly string[]): Sql {
  return sql.raw(names.map((name) => `"${name}"`).join(", "));
}
