import { Extensions, Field } from "type-graphql";
import type { RequestContext } from "../../engine/request/run.js";
import type { ModelName } from "../scope/tenant-models.js";
import type { ChildrenOf, OneOf, Row } from "../../engine/loading/loaders.js";

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

/** Resolves a relation from the loaders of the request. */
export function relationResolver(relation: Relation) {
  return (row: Row, _args: unknown, { loaders }: RequestContext): unknown => {
    const id = row[relation.via] as number | null;
    if (id === null) return null;
    const companyId = row["companyId"] as number;
    return relation.kind === "one"
      ? loaders.one(relation, companyId, id)
      : loaders.many(relation, companyId, id);
  };
}
