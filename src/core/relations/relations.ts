import { Extensions, Field } from "type-graphql";
import type { ModelName } from "../scope/tenant-models.js";

export type Row = Readonly<Record<string, unknown>>;

export type Order = readonly Readonly<Record<string, "asc" | "desc">>[];

/** The one row of `model` whose `key` (its id unless told) the parent names. */
export interface OneOf {
  readonly model: ModelName;
  readonly key?: string;
}

/** Rows of `model` whose `foreignKey` is the parent's id. */
export interface ChildrenOf {
  readonly model: ModelName;
  readonly foreignKey: string;
  readonly order: Order;
  /** Follows a link row to what it links, by the name of that relation. */
  readonly through?: string;
  readonly where?: Row;
}

/** How a field of an object type finds its related rows; the schema attaches the batching resolver. */
export type Relation =
  | ({ readonly kind: "one"; readonly via: string } & OneOf)
  | ({ readonly kind: "many"; readonly via: string } & ChildrenOf);

type TypeFunction = () => object;

/** The one row of `model` whose id stands in the field `via` (`key`: found by another column). */
export function ToOne(
  type: TypeFunction,
  relation: { model: ModelName; via: string; key?: string; description: string; required?: boolean },
): PropertyDecorator {
  const { description, required, ...rest } = relation;
  return (prototype, name) => {
    Field(type as () => typeof Object, { nullable: required !== true, description })(prototype, name);
    Extensions({ relation: { kind: "one", ...rest } satisfies Relation })(prototype, name);
  };
}

/** The rows of `model` whose `foreignKey` is this row's id; `through` follows a link to what it links. */
export function ToMany(
  type: TypeFunction,
  relation: ChildrenOf & { description: string; via?: string },
): PropertyDecorator {
  const { description, via = "id", ...rest } = relation;
  return (prototype, name) => {
    Field((() => [type()]) as unknown as () => [typeof Object], { description })(prototype, name);
    Extensions({ relation: { kind: "many", via, ...rest } satisfies Relation })(prototype, name);
  };
}
