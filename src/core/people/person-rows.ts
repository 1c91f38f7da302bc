import { MODEL_FACTS, type AboutFacts, type ModelFacts, type RelationFacts } from "../../generated/models.js";
import { sql, type Sql } from "../db/sql.js";
import { snakeCaseOf } from "../names.js";
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

/** The condition on the rows of a person, whose columns stand without the name of their table. */
export function conditionOf({ ways }: PersonRows, companyId: Sql, personId: Sql): Sql {
  const conditions = ways.map((way) => {
    switch (way.by) {
      case "id":
        return sql`${quoted([way.column])} = ${personId}`;
      case "about": {
        const kinds = sql.raw(`('${snakeCaseOf(way.person)}', '${way.person}')`);
        return sql`(${quoted([way.about.kind])} IN ${kinds} AND ${quoted([way.about.id])} = ${personId})`;
      }
      case "relation": {
        const { columns, references } = way.relation;
        return sql`(${quoted(columns)}) IN ${selected(way.rows, references, companyId, personId)}`;
      }
    }
  });
  return sql`company_id = ${companyId} AND (${sql.join(conditions, " OR ")})`;
}

/** The condition on rows that are about a row of a person, by the kind and the id that they name. */
export function conditionAbout(
  about: AboutFacts,
  known: readonly PersonRows[],
  companyId: Sql,
  personId: Sql,
): Sql {
  const named = known.filter(
    ({ model }) => MODEL_FACTS[model].about === null && MODEL_FACTS[model].key.includes("id"),
  );
  const conditions = named.map((rows) => {
    const kinds = sql.raw(`('${snakeCaseOf(rows.model)}', '${rows.model}')`);
    const ids = selected(rows, ["id"], companyId, personId);
    return sql`(${quoted([about.kind])} IN ${kinds} AND ${quoted([about.id])} IN ${ids})`;
  });
  return sql`company_id = ${companyId} AND (${sql.join(conditions, " OR ")})`;
}

function selected(rows: PersonRows, columns: readonly string[], companyId: Sql, personId: Sql): Sql {
  const table = quoted([MODEL_FACTS[rows.model].table]);
  return sql`(SELECT ${quoted(columns)} FROM ${table} WHERE ${conditionOf(rows, companyId, personId)})`;
}

function quoted(names: readonly string[]): Sql {
  return sql.raw(names.map((name) => `"${name}"`).join(", "));
}
