import type { ModelChanges, ModelName, ModelRows, ModelTables, NoJson } from "../../generated/models.js";
import type { Sql } from "./sql.js";

/** What slices ask of a table. */
export const TABLE_METHODS = [
  "findMany",
  "findFirst",
  "findFirstOrThrow",
  "findUniqueOrThrow",
  "count",
  "create",
  "createMany",
  "update",
  "updateMany",
  "updateManyAndReturn",
  "upsert",
  "delete",
  "deleteMany",
] as const;

export type TableMethod = (typeof TABLE_METHODS)[number];

type Tables = {
  readonly [Name in keyof ModelTables]: Pick<ModelTables[Name], TableMethod>;
};

/**
 * The database as slices have it. What a scope gives is limited to one company: each condition on a tenant model and each new
 * row of one gets its `companyId`, and private rows are those of the caller.
 */
export interface Db extends Tables {
  /** The rows of a statement written by hand; the values of the template are bound. */
  $queryRaw<Rows = unknown>(
    statement: TemplateStringsArray | Sql,
    ...values: readonly unknown[]
  ): Promise<Rows>;
  /** Runs a statement written by hand. @returns how many rows it changed. */
  $executeRaw(statement: TemplateStringsArray | Sql, ...values: readonly unknown[]): Promise<number>;
  /** Runs `work` in a transaction; inside a transaction, in a savepoint of it. */
  $transaction<T>(work: (inside: Db) => Promise<T>): Promise<T>;
}

/** A row of a model with all its columns. */
export type Row<Name extends ModelName> = ModelRows[Name];

/** What an update writes to the columns of a model. */
export type Changes<Name extends ModelName> = ModelChanges[Name];

export type JsonValue = string | number | boolean | JsonObject | JsonArray | null;
export type JsonObject = { readonly [key in string]?: JsonValue };
export type JsonArray = readonly JsonValue[];

/** NULL for a JSON column. */
export const NO_JSON = null as unknown as NoJson;
