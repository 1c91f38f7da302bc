import {
  getNamedType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import type { GuardedRelation, RelationAccess } from "../../engine/loading/relation-access.js";
import { toSnakeCase } from "./naming.js";

const MAX_LOAD_DEPTH = 4;

/** The relations and keys that `load` and `fields` ask of a resource (contract §4.4). */
export interface Wanted {
  /** The relations to embed, as paths of snake_case names with dots between. */
  readonly load: readonly string[];
  /** The keys to answer; `null` means all of them. */
  readonly fields: readonly string[] | null;
}

type RelationField = GraphQLField<unknown, unknown>;

/** Builds the selections that `load` and `fields` ask for. */
export class DynamicLoading {
  private readonly relationsOf = new Map<string, ReadonlyMap<string, RelationField>>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly resources: ReadonlyMap<string, SelectionSetNode>,
  ) {}

  /**
   * Returns the selection of a resource with the wanted relations embedded and the other keys left out.
   *
   * @throws DomainError BAD_REQUEST that lists the names that are allowed.
   */
  select(typeName: string, base: SelectionSetNode, { load, fields }: Wanted): SelectionSetNode {
    const loaded = load
      .map((path) => path.split("."))
      .map((path) => this.embed(typeName, path, { whole: path, above: [] }));
    const own = base.selections as readonly FieldNode[];
    const kept = fields === null ? own : pick(own, fields, loaded);
    return { kind: Kind.SELECTION_SET, selections: [...kept, ...loaded] };
  }

  /** Returns the names of a type's relations, as `load` takes them. */
  relationNames(typeName: string): string[] {
    return [...this.relations(typeName).keys()];
  }

  /** Returns what following the relations on these paths needs; whoever may read the resource may follow the others. */
  accessesOf(typeName: string, load: readonly string[]): RelationAccess[] {
    return load.flatMap((path) => this.accessesOn(typeName, path.split(".")));
  }

  private accessesOn(typeName: string, [name = "", ...rest]: readonly string[]): RelationAccess[] {
    const relation = this.relations(typeName).get(name);
    if (relation === undefined) return [];
    const { access } = relation.extensions["relation"] as GuardedRelation;
    const further = this.accessesOn(getNamedType(relation.type).name, rest);
    return access === null ? further : [access, ...further];
  }

  /** @param above names the types that the path has come through. */
  private embed(
    typeName: string,
    path: readonly string[],
    { whole, above }: { whole: readonly string[]; above: readonly string[] },
  ): FieldNode {
    const [name = "", ...rest] = path;
    const relation = this.relations(typeName).get(name);
    if (whole.length > MAX_LOAD_DEPTH) {
      throw new DomainError("BAD_REQUEST", `load goes at most ${MAX_LOAD_DEPTH} levels deep.`);
    }
    if (relation === undefined) {
      const before = whole.slice(0, whole.length - path.length).map((part) => `${part}.`);
      const allowed = this.relationNames(typeName).map((relationName) => before.join("") + relationName);
      throw unknownName("load", whole.join("."), allowed);
    }
    const target = getNamedType(relation.type) as GraphQLObjectType;
    if (target.name !== typeName && above.includes(target.name)) {
      const message = `${whole.join(".")} leads back to ${target.name}`;
      throw new DomainError("BAD_REQUEST", `load ${message}.`, {
        errors: [{ field: "load", rule: "cycle", message }],
      });
    }
    const base = this.shapeOf(target);
    const nested =
      rest.length === 0 ? [] : [this.embed(target.name, rest, { whole, above: [...above, typeName] })];
    return field(relation.name, { kind: Kind.SELECTION_SET, selections: [...base.selections, ...nested] });
  }

  private shapeOf(type: GraphQLObjectType): SelectionSetNode {
    const known = this.resources.get(type.name);
    if (known !== undefined) return known;
    const leaves = Object.values(type.getFields()).filter(
      (candidate) => !isObjectType(getNamedType(candidate.type)),
    );
    return { kind: Kind.SELECTION_SET, selections: leaves.map(({ name }) => field(name)) };
  }

  /** Returns the relations of a type by their names in `load`. */
  private relations(typeName: string): ReadonlyMap<string, RelationField> {
    const known = this.relationsOf.get(typeName);
    if (known !== undefined) return known;
    const type = this.schema.getType(typeName);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const relations = new Map(
      fields
        .filter(({ extensions }) => extensions["relation"] !== undefined)
        .map((relation) => [toSnakeCase(relation.name), relation]),
    );
    this.relationsOf.set(typeName, relations);
    return relations;
  }
}

export function unknownName(parameter: string, name: string, allowed: readonly string[]): DomainError {
  const names = allowed.length === 0 ? "there are none here" : `allowed: ${allowed.join(", ")}`;
  return new DomainError("BAD_REQUEST", `Unknown ${parameter} ${JSON.stringify(name)}; ${names}.`, {
    errors: [{ field: parameter, rule: "unknown", message: names }],
  });
}

function pick(
  own: readonly FieldNode[],
  wanted: readonly string[],
  loaded: readonly FieldNode[],
): SelectionNode[] {
  const keys = new Map(own.map((selection) => [keyOf(selection), selection]));
  const embedded = new Set(loaded.map(keyOf));
  return wanted.flatMap((name) => {
    const selection = keys.get(name);
    if (selection !== undefined) return [selection];
    if (embedded.has(name)) return [];
    throw unknownName("fields", name, [...keys.keys()]);
  });
}

function keyOf({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

function field(name: string, selectionSet?: SelectionSetNode): FieldNode {
  const snake = toSnakeCase(name);
  return {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: name },
    ...(snake !== name && { alias: { kind: Kind.NAME, value: snake } }),
    ...(selectionSet !== undefined && { selectionSet }),
  };
}
