import { Extensions, Field } from "type-graphql";
import type { Area } from "../access/permissions.js";
import type { ModelName } from "../scope/tenant-models.js";

export type Row = Readonly<Record<string, unknown>>;

export type RowOrder = readonly Readonly<Record<string, "asc" | "desc">>[];

/** A related list is expected to have this many rows unless its relation says otherwise. */
export const EXPECTED_ROWS = 5;
/** A related list has at most this many rows; longer ones are read page by page, by the list's own operation. */
export const MAX_RELATED_ROWS = 1_000;

/** The row of `model` that the parent names by the value of `key`, which is `id` by default. */
export interface OneOf {
  readonly model: ModelName;
  readonly key?: string;
}

/** The rows of `model` whose `foreignKey` names the parent. */
export interface ChildrenOf {
  readonly model: ModelName;
  readonly foreignKey: string;
  readonly order: RowOrder;
  /** Set when `model` is a link: the model of the rows that are answered, and the field with the id of one. */
  readonly through?: { readonly model: ModelName; readonly via: string };
  readonly where?: Row;
  /** The number of rows that a parent is expected to have, by which an operation is priced before it runs. */
  readonly expectedRows?: number;
}

/**
 * Who may follow a relation (contract §3.7). Without a declaration it is who may read the related rows by the query
 * of their type; the schema does not build when there is no such query.
 */
interface RelationReaders {
  /** The area of the related rows, when no query of their type names it. */
  readonly area?: Area;
  /**
   * `readers`: whoever may read this row may read the related ones, as parts of it or because the shop shows them.
   * `clients`: clients of the company need no permission. `itself`: nor does the client that this row is.
   */
  readonly openTo?: "readers" | "clients" | "itself";
}

/** How a field of an object type finds its related rows; the schema attaches the batching resolver. */
export type Relation = RelationReaders & { readonly via: string } & (
    ({ readonly kind: "one" } & OneOf) | ({ readonly kind: "many" } & ChildrenOf)
  );

type TypeFunction = () => object;

/** Declares a relation to the row of `model` whose `key`, its id by default, stands in this row's field `via`. */
export function ToOne(
  type: TypeFunction,
  relation: OneOf & RelationReaders & { via: string; description: string; required?: boolean },
): PropertyDecorator {
  const { description, required, ...rest } = relation;
  return (prototype, name) => {
    Field(type as () => typeof Object, { nullable: required !== true, description })(prototype, name);
    Extensions({ relation: { kind: "one", ...rest } satisfies Relation })(prototype, name);
  };
}

/**
 * Declares a relation to the rows of `model` whose `foreignKey` holds this row's field `via`, its id by default.
 */
export function ToMany(
  type: TypeFunction,
  relation: ChildrenOf & RelationReaders & { description: string; via?: string },
): PropertyDecorator {
  const { description, via = "id", ...rest } = relation;
  return (prototype, name) => {
    Field((() => [type()]) as unknown as () => [typeof Object], { description })(prototype, name);
    Extensions({ relation: { kind: "many", via, ...rest } satisfies Relation })(prototype, name);
  };
}
