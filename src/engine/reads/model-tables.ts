import { Prisma, type PrismaClient } from "../../generated/prisma/client.js";

/** Prisma's scalar types that row readers can read and compare. */
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

/**
 * The part of the schema that Prisma's client holds at run time. It is private: no public API gives the names of
 * columns.
 */
interface RuntimeDataModel {
  readonly models: Readonly<
    Record<
      string,
      {
        readonly dbName: string | null;
        readonly fields: readonly {
          readonly name: string;
          readonly kind: string;
          readonly type: string;
          readonly dbName?: string;
        }[];
      }
    >
  >;
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

type AnyClient = PrismaClient | Prisma.TransactionClient;

/** Returns the name of the column of a model's field. */
export function columnName(client: AnyClient, model: Prisma.ModelName, field: string): string {
  return dataModel(client).models[model]?.fields.find(({ name }) => name === field)?.dbName ?? field;
}

/** Returns the model to which a relation leads; `null` for a field that is none. */
export function relatedModel(
  client: AnyClient,
  model: Prisma.ModelName,
  field: string,
): Prisma.ModelName | null {
  const found = dataModel(client).models[model]?.fields.find(({ name }) => name === field);
  return found?.kind === "object" ? (found.type as Prisma.ModelName) : null;
}

/** Returns the tables of all models whose columns are of types known here. */
export function modelTables(client: PrismaClient): ReadonlyMap<string, Table> {
  const { models } = dataModel(client);
  const tables = Object.values(Prisma.ModelName).map(
    (model) => [model, tableOf(model, models[model])] as const,
  );
  return new Map(tables.filter((entry): entry is [(typeof entry)[0], Table] => entry[1] !== null));
}

function dataModel(client: AnyClient): RuntimeDataModel {
  return (client as unknown as { _runtimeDataModel: RuntimeDataModel })._runtimeDataModel;
}

function tableOf(model: string, described: RuntimeDataModel["models"][string] | undefined): Table | null {
  const scalars = (described?.fields ?? []).filter(({ kind }) => kind !== "object");
  if (scalars.length === 0 || !scalars.every(({ kind, type }) => kind === "scalar" && TYPES.has(type)))
    return null;
  const columns = scalars.map(
    ({ name, type, dbName }) =>
      [name, { field: name, name: dbName ?? name, type: type as ColumnType }] as const,
  );
  return { name: described?.dbName ?? model, columns: new Map(columns) };
}
