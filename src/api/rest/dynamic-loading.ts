import {
  getNamedType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionSetNode,
} from "graphql";
import type { GuardedRelation, RelationAccess } from "../../engine/loading/relation-access.js";
import { toSnakeCase } from "./naming.js";
import { isFlat } from "./rest-route.js";
import type { WrongParameters } from "./wrong-parameters.js";

const MAX_LOAD_DEPTH = 4;

/** What `load` and `fields` ask of a resource (contract §4.4). */
export interface Wanted {
  /** The relations and further keys to add, as paths of snake_case names with dots between. */
  readonly load: readonly string[];
  /** The keys to answer; `null` means all that the resource has unless more are loaded. */
  readonly fields: readonly string[] | null;
}

/** A field that is answered only when it is asked for: a relation, or what is derived from the row. */
interface Loadable {
  readonly field: GraphQLField<unknown, unknown>;
  /** The field that it stands in when the answer has the keys of that field in its place. */
  readonly inside: FieldNode | null;
}

/** Builds the selections that `load` and `fields` ask for. */
export class DynamicLoading {
  private readonly loadablesOf = new Map<string, ReadonlyMap<string, Loadable>>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly resources: ReadonlyMap<string, SelectionSetNode>,
  ) {}

  /**
   * Returns the selection of a resource with what `load` names added and the keys that are not wanted left out.
   *
   * @param further names keys that `fields` takes besides, as refusals list them.
   */
  select(
    typeName: string,
    base: SelectionSetNode,
    { load, fields }: Wanted,
    wrong: WrongParameters,
    further: readonly string[] = [],
  ): SelectionSetNode {
    const loaded = load
      .map((path) => path.split("."))
      .flatMap((path) => this.embed(typeName, path, { whole: path, above: [] }, wrong));
    const loadables = this.loadables(typeName);
    const names = new Set(load.map((path) => path.split(".")[0] ?? "").filter((name) => loadables.has(name)));
    const kept =
      fields === null ? base.selections : this.pick({ typeName, base, further }, fields, names, wrong);
    return { kind: Kind.SELECTION_SET, selections: [...kept, ...loaded] };
  }

  /** Returns what is answered of a type that is loaded along. */
  shape(typeName: string): SelectionSetNode {
    return this.shapeOf(this.schema.getType(typeName) as GraphQLObjectType);
  }

  /** Returns the names that `load` takes of a type. */
  loadable(typeName: string): string[] {
    return [...this.loadables(typeName).keys()];
  }

  /** Returns the names that `fields` takes of a resource: its keys, and the further ones that are no relations. */
  keys(typeName: string, base: SelectionSetNode): string[] {
    return [...this.selectionsByKey(typeName, base).keys()];
  }

  /** Returns what following the relations on these paths needs; whoever may read the resource may follow the others. */
  accessesOf(typeName: string, load: readonly string[]): RelationAccess[] {
    return load.flatMap((path) => this.accessesOn(typeName, path.split(".")));
  }

  private accessesOn(typeName: string, [name = "", ...rest]: readonly string[]): RelationAccess[] {
    const field = this.loadables(typeName).get(name)?.field;
    if (field === undefined) return [];
    const access = relationOf(field)?.access ?? null;
    const further = this.accessesOn(getNamedType(field.type).name, rest);
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
    const loadable = this.loadables(typeName).get(name);
    if (whole.length > MAX_LOAD_DEPTH) {
      wrong.add("load", "depth", `goes at most ${MAX_LOAD_DEPTH} levels deep`);
      return [];
    }
    if (loadable === undefined) {
      const before = whole.slice(0, whole.length - path.length).map((part) => `${part}.`);
      const allowed = this.loadable(typeName).map((loadableName) => before.join("") + loadableName);
      wrong.addUnknown("load", whole.join("."), allowed);
      return [];
    }
    const target = getNamedType(loadable.field.type);
    if (target.name !== typeName && above.includes(target.name)) {
      wrong.add("load", "cycle", `${whole.join(".")} leads back to ${target.name}`);
      return [];
    }
    const further = { whole, above: [...above, typeName] };
    const nested = rest.length === 0 ? [] : this.embed(target.name, rest, further, wrong);
    return [this.selectionOf(loadable, nested)];
  }

  /** Returns the keys of a resource that are wanted. */
  private pick(
    { typeName, base, further }: { typeName: string; base: SelectionSetNode; further: readonly string[] },
    wanted: readonly string[],
    loaded: ReadonlySet<string>,
    wrong: WrongParameters,
  ): FieldNode[] {
    const known = this.selectionsByKey(typeName, base);
    return wanted.flatMap((name) => {
      const selection = known.get(name);
      if (selection === undefined && !loaded.has(name))
        wrong.addUnknown("fields", name, [...known.keys(), ...further]);
      return selection === undefined ? [] : [selection];
    });
  }

  private selectionsByKey(typeName: string, base: SelectionSetNode): ReadonlyMap<string, FieldNode> {
    const known = new Map(fieldsOf(base).map((selection) => [keyOf(selection), selection]));
    for (const [name, loadable] of this.loadables(typeName)) {
      const isFurther = relationOf(loadable.field) === undefined && !known.has(name);
      if (isFurther) known.set(name, this.selectionOf(loadable));
    }
    return known;
  }

  private selectionOf({ field, inside }: Loadable, nested: readonly FieldNode[] = []): FieldNode {
    const target = getNamedType(field.type);
    const shape = isObjectType(target) ? fieldsOf(this.shapeOf(target)) : [];
    const selection = select(field.name, [...shape, ...nested]);
    return inside === null ? selection : withSelections(inside, [selection]);
  }

  private shapeOf(type: GraphQLObjectType): SelectionSetNode {
    const known = this.resources.get(type.name);
    if (known !== undefined) return known;
    const leaves = Object.values(type.getFields()).filter(
      (candidate) => !isObjectType(getNamedType(candidate.type)),
    );
    return { kind: Kind.SELECTION_SET, selections: leaves.map(({ name }) => select(name)) };
  }

  /** Returns the fields of a type that its shape leaves out and that take no arguments, by their names in `load`. */
  private loadables(typeName: string): ReadonlyMap<string, Loadable> {
    const known = this.loadablesOf.get(typeName);
    if (known !== undefined) return known;
    const found = new Map<string, Loadable>();
    this.loadablesOf.set(typeName, found);
    const type = this.schema.getType(typeName);
    if (!isObjectType(type)) return found;
    const shape = fieldsOf(this.shapeOf(type));
    const shown = new Set(shape.map(({ name }) => name.value));
    for (const inside of shape.filter(isFlat)) {
      const inner = getNamedType(type.getFields()[inside.name.value]?.type) as GraphQLObjectType;
      for (const [name, { field }] of this.loadables(inner.name)) found.set(name, { field, inside });
    }
    for (const field of Object.values(type.getFields())) {
      const isLeftOut = !shown.has(field.name) && field.args.length === 0;
      if (isLeftOut || relationOf(field) !== undefined)
        found.set(toSnakeCase(field.name), { field, inside: null });
    }
    return found;
  }
}

function relationOf({ extensions }: GraphQLField<unknown, unknown>): GuardedRelation | undefined {
  return extensions["relation"] as GuardedRelation | undefined;
}

/** The shapes of REST have their fragments expanded. */
function fieldsOf({ selections }: SelectionSetNode): readonly FieldNode[] {
  return selections as readonly FieldNode[];
}

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function withSelections(field: FieldNode, selections: readonly FieldNode[]): FieldNode {
  return { ...field, selectionSet: { kind: Kind.SELECTION_SET, selections } };
}

function select(name: string, selections: readonly FieldNode[] = []): FieldNode {
  const snake = toSnakeCase(name);
  const field: FieldNode = {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: name },
    ...(snake !== name && { alias: { kind: Kind.NAME, value: snake } }),
  };
  return selections.length === 0 ? field : withSelections(field, selections);
}
