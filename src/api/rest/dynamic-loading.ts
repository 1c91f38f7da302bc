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
import type { GuardedRelation, RelationAccess } from "../../engine/loading/relation-access.js";
import { toSnakeCase } from "./naming.js";
import type { WrongParameters } from "./wrong-parameters.js";

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

  /** Returns the selection of a resource with the wanted relations embedded and the other keys left out. */
  select(
    typeName: string,
    base: SelectionSetNode,
    { load, fields }: Wanted,
    wrong: WrongParameters,
  ): SelectionSetNode {
    const loaded = load
      .map((path) => path.split("."))
      .flatMap((path) => this.embed(typeName, path, { whole: path, above: [] }, wrong));
    const own = base.selections as readonly FieldNode[];
    const names = new Set(load.map((path) => path.split(".")[0]));
    const kept = fields === null ? own : pick(own, fields, names, wrong);
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

  /**
   * @param above names the types that the path has come through.
   * @returns nothing when something is wrong with the path.
   */
  private embed(
    typeName: string,
    path: readonly string[],
    { whole, above }: { whole: readonly string[]; above: readonly string[] },
    wrong: WrongParameters,
  ): FieldNode[] {
    const [name = "", ...rest] = path;
    const relation = this.relations(typeName).get(name);
    if (whole.length > MAX_LOAD_DEPTH) {
      wrong.add("load", "depth", `goes at most ${MAX_LOAD_DEPTH} levels deep`);
      return [];
    }
    if (relation === undefined) {
      const before = whole.slice(0, whole.length - path.length).map((part) => `${part}.`);
      const allowed = this.relationNames(typeName).map((relationName) => before.join("") + relationName);
      wrong.addUnknown("load", whole.join("."), allowed);
      return [];
    }
    const target = getNamedType(relation.type) as GraphQLObjectType;
    if (target.name !== typeName && above.includes(target.name)) {
      wrong.add("load", "cycle", `${whole.join(".")} leads back to ${target.name}`);
      return [];
    }
    const base = this.shapeOf(target);
    const further = { whole, above: [...above, typeName] };
    const nested = rest.length === 0 ? [] : this.embed(target.name, rest, further, wrong);
    return [field(relation.name, { kind: Kind.SELECTION_SET, selections: [...base.selections, ...nested] })];
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

/** @param loaded names the relations that stand in the answer beside the keys. */
function pick(
  own: readonly FieldNode[],
  wanted: readonly string[],
  loaded: ReadonlySet<string | undefined>,
  wrong: WrongParameters,
): SelectionNode[] {
  const keys = new Map(own.map((selection) => [keyOf(selection), selection]));
  return wanted.flatMap((name) => {
    const selection = keys.get(name);
    if (selection === undefined && !loaded.has(name)) wrong.addUnknown("fields", name, [...keys.keys()]);
    return selection === undefined ? [] : [selection];
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
