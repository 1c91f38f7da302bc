import {
  getNamedType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  print,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { Definitions } from "../limits/document-bounds.js";
import { fieldOf } from "../schema/field-of.js";

/** A field of a document. */
interface Field {
  readonly parent: GraphQLCompositeType;
  readonly node: FieldNode;
  /** `undefined` for `__typename`, which graphql-js lets stand beside any other leaf of another type's objects. */
  readonly type: GraphQLOutputType | undefined;
}

/** A selection set, and the type to whose objects it applies. */
interface Selected {
  readonly parent: GraphQLCompositeType;
  readonly set: SelectionSetNode;
}

/** What is compared: whether the answers have one shape, whether the same is asked for, or both. */
type Compared = "shape" | "request" | "both";

/**
 * Returns whether the fields that have the same name in one place of the answer can be merged into one (GraphQL, 5.3.2).
 * graphql-js compares each pair of them, so that its time grows with the square of what a document repeats; here each is
 * compared with the first.
 *
 * @param definitions are those of a document that breaks no other rule.
 */
export function canMergeFields(schema: GraphQLSchema, definitions: Definitions): boolean {
  const merging = new Merging(schema, definitions.fragments);
  return definitions.operations.every(({ operation, selectionSet: set }) => {
    const parent = schema.getRootType(operation);
    return parent == null || merging.canMerge([{ parent, set }], "both");
  });
}

class Merging {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Definitions["fragments"],
  ) {}

  /** Judges the place of the answer that has these selections, and all below it. */
  canMerge(selected: readonly Selected[], compared: Compared): boolean {
    const place = new Map<string, Field[]>();
    const spread = new Set<string>();
    for (const { parent, set } of selected) this.collect(set, parent, { place, spread });
    for (const fields of place.values()) {
      if (compared !== "request" && !haveOneShape(fields)) return false;
      const groups = compared === "shape" ? [fields] : asksTogether(fields);
      if (compared !== "shape" && !groups.every(askForTheSame)) return false;
      const [first, another] = groups;
      const canAllMerge =
        first !== undefined && another === undefined
          ? this.canMergeBelow(first, compared)
          : (compared === "request" || this.canMergeBelow(fields, "shape")) &&
            groups.every((group) => this.canMergeBelow(group, "request"));
      if (!canAllMerge) return false;
    }
    return true;
  }

  private canMergeBelow(fields: readonly Field[], compared: Compared): boolean {
    const selected = fields.flatMap(({ node, type }) => {
      const parent = getNamedType(type);
      const set = node.selectionSet;
      return set === undefined || !isCompositeType(parent) ? [] : [{ parent, set }];
    });
    return selected.length === 0 || this.canMerge(selected, compared);
  }

  /** Adds the fields of a selection set to those of a place, and those of its fragments, each fragment once. */
  private collect(
    set: SelectionSetNode,
    parent: GraphQLCompositeType,
    to: { readonly place: Map<string, Field[]>; readonly spread: Set<string> },
  ): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const { value: ownName } = selection.name;
        const name = selection.alias?.value ?? ownName;
        const field: Field = { parent, node: selection, type: fieldOf(this.schema, parent, ownName)?.type };
        const same = to.place.get(name);
        if (same === undefined) to.place.set(name, [field]);
        else same.push(field);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.collect(selection.selectionSet, this.narrowed(parent, selection.typeCondition?.name.value), to);
      } else if (!to.spread.has(selection.name.value)) {
        to.spread.add(selection.name.value);
        const fragment = this.fragments.get(selection.name.value);
        if (fragment === undefined) continue;
        this.collect(fragment.selectionSet, this.narrowed(parent, fragment.typeCondition.name.value), to);
      }
    }
  }

  private narrowed(parent: GraphQLCompositeType, name: string | undefined): GraphQLCompositeType {
    const type = name === undefined ? undefined : this.schema.getType(name);
    return isCompositeType(type) ? type : parent;
  }
}

function haveOneShape(fields: readonly Field[]): boolean {
  const [first, ...others] = fields.flatMap(({ type }) => type ?? []);
  return others.every((type) => first === undefined || isOneShape(type, first));
}

function isOneShape(one: GraphQLOutputType, another: GraphQLOutputType): boolean {
  if (one === another) return true;
  if (isListType(one)) return isListType(another) && isOneShape(one.ofType, another.ofType);
  if (isNonNullType(one)) return isNonNullType(another) && isOneShape(one.ofType, another.ofType);
  return !isListType(another) && !isNonNullType(another) && !isLeafType(one) && !isLeafType(another);
}

/**
 * Parts fields of one name into groups that an object may be asked for at once. Two object types have no object in common; an
 * interface or a union may have one with each of them.
 */
function asksTogether(fields: readonly Field[]): readonly (readonly Field[])[] {
  const types = new Set(fields.flatMap(({ parent }) => (isObjectType(parent) ? [parent] : [])));
  if (types.size < 2) return [fields];
  return Array.from(types, (type) => fields.filter(({ parent }) => parent === type || !isObjectType(parent)));
}

function askForTheSame([first, ...others]: readonly Field[]): boolean {
  if (first === undefined || others.length === 0) return true;
  const asked = argumentsOf(first.node);
  return others.every(({ node }) => node.name.value === first.node.name.value && argumentsOf(node) === asked);
}

/** Returns the arguments of a field as a text; their order does not matter. */
function argumentsOf({ arguments: given }: FieldNode): string {
  return inOrder(given ?? []);
}

function inOrder(parts: readonly { readonly name: { readonly value: string }; readonly value: ValueNode }[]) {
  return parts
    .map(({ name, value }) => `${name.value}:${textOf(value)}`)
    .sort()
    .join();
}

function textOf(value: ValueNode): string {
  if (value.kind === Kind.OBJECT) return `{${inOrder(value.fields)}}`;
  if (value.kind === Kind.LIST) return `[${value.values.map(textOf).join()}]`;
  return print(value);
}
