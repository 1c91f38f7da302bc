import { MODEL_FACTS, type ModelName } from "../../generated/models.js";

/** The scalar types that row readers can read and compare. */
export type ColumnType =
  "Int" | "BigInt" | "String" | "Boolean" | "DateTime" | "Decimal" | "Float" | "Json" | "Bytes";

export interface Column {
  /** The name of the model's field. */
  readonly field: string;
  readonly name: string;
  readonly type: ColumnType;
}

/** The table of a model. */
export interface Table {
  readonly name: string;
  /** The columns by the name of their field, in the model's order. */
  readonly columns: ReadonlyMap<string, Column>;
}

const TYPES: ReadonlySet<string> = new Set<ColumnType>([
  "Int",
  "BigInt",
  "String",
  "Boolean",
  "DateTime",
  "Decimal",
  "Float",
  "Json",
  "Bytes",
]);

/** The tables of all models. */
export const MODEL_TABLES: ReadonlyMap<string, Table> = new Map(
  (Object.keys(MODEL_FACTS) as ModelName[]).map((model) => [model, tableOf(model)]),
);

/** Returns the name of the column of a model's field. */
export function columnName(model: ModelName, field: string): string {
  return MODEL_TABLES.get(model)?.columns.get(field)?.name ?? field;
}

function tableOf(model: ModelName): Table {
  const { table, fields, columns } = MODEL_FACTS[model];
  const known = columns.map(([name, type], place) => {
    if (!TYPES.has(type)) throw new Error(`${model}.${fields[place] ?? name}: nobody reads a ${type}.`);
    return { field: fields[place] as string, name, type: type as ColumnType };
  });
  return { name: table, columns: new Map(known.map((column) => [column.field, column])) };
}
