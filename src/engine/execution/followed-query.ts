import {
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  OperationTypeNode,
  separateOperations,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type ValidationRule,
  type VariableDefinitionNode,
} from "graphql";
import { rootFields, rootOperations, type Variables } from "../schema/root-operations.js";

/** The query that a subscription follows. */
export interface FollowedQuery {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  /** The name of the subscription in answers, and of the query. */
  readonly key: string;
  /** Returns the variables of a page behind a place. */
  readonly page: (variables: Variables, place: { after: string; first: number }) => Variables;
  /** Returns the arguments of the subscription as the caller sent them. */
  readonly argumentsOf: (variables: Variables) => Readonly<Record<string, unknown>>;
}

const CONDITIONS = [GraphQLSkipDirective.name, GraphQLIncludeDirective.name];

/** Refuses conditions around the root field of a subscription, as the specification of GraphQL does and graphql-js 16 does not. */
export const noConditionalSubscription: ValidationRule = (context) => {
  const root = context.getSchema().getSubscriptionType();
  if (root == null) return {};
  return {
    Directive(node) {
      const { value: name } = node.name;
      if (context.getParentType() === root && CONDITIONS.includes(name))
        context.reportError(
          new GraphQLError(`The root field of a subscription may not depend on @${name}.`, { nodes: node }),
        );
    },
  };
};

/** Makes the query of the same name, whose nodes have what the subscription selects, in pages. */
export function followedQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): FollowedQuery {
  const own = separateOperations(document)[definition.name?.value ?? ""] ?? document;
  // Validation lets a subscription have one root field, and no more.
  const field = rootFields(definition.selectionSet, own)[0] as FieldNode;
  const [after, first] = unusedNames(definition.variableDefinitions ?? []);
  const query: OperationDefinitionNode = {
    ...definition,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [
      ...(definition.variableDefinitions ?? []),
      variableOf(after, "String"),
      variableOf(first, "Int"),
    ],
    selectionSet: selection({
      ...field,
      arguments: [...argumentsOfQuery(schema, field), argument("after", after), argument("first", first)],
      selectionSet: selection(
        plain("edges", [plain("cursor"), { ...plain("node"), selectionSet: field.selectionSet }]),
        plain("types"),
        plain("pageInfo", [plain("hasNextPage"), plain("endCursor")]),
      ),
    }),
  };
  const root = schema.getSubscriptionType()?.name;
  const fragments = own.definitions.filter(
    (other) => other.kind === Kind.FRAGMENT_DEFINITION && other.typeCondition.name.value !== root,
  );
  return {
    document: { kind: Kind.DOCUMENT, definitions: [query, ...fragments] },
    definition: query,
    key: field.alias?.value ?? field.name.value,
    page: (variables, place) => ({ ...variables, [after]: place.after, [first]: place.first }),
    argumentsOf: (variables) => rootOperations(own, definition, variables, new Map())[0]?.args ?? {},
  };
}

/** Returns the arguments for the query: those that it has itself, and the others as fields of its filter. */
function argumentsOfQuery(schema: GraphQLSchema, { name, arguments: given = [] }: FieldNode): ArgumentNode[] {
  const query = schema.getQueryType()?.getFields()[name.value];
  const isOwn = (argument: ArgumentNode): boolean =>
    query?.args.some((one) => one.name === argument.name.value) === true;
  const conditions = given.filter((argument) => !isOwn(argument));
  const filter: ObjectValueNode = {
    kind: Kind.OBJECT,
    fields: conditions.map(({ name: condition, value }) => ({
      kind: Kind.OBJECT_FIELD,
      name: condition,
      value,
    })),
  };
  return [
    ...given.filter((argument) => isOwn(argument) && argument.name.value !== "after"),
    ...(conditions.length === 0
      ? []
      : [{ kind: Kind.ARGUMENT, name: nameNode("filter"), value: filter } as const]),
  ];
}

function unusedNames(declared: readonly VariableDefinitionNode[]): readonly [after: string, first: string] {
  let prefix = "page";
  while (declared.some(({ variable }) => variable.name.value.startsWith(prefix))) prefix += "_";
  return [`${prefix}After`, `${prefix}First`];
}

function nameNode(value: string) {
  return { kind: Kind.NAME, value } as const;
}

function variableNode(name: string) {
  return { kind: Kind.VARIABLE, name: nameNode(name) } as const;
}

function variableOf(name: string, type: string): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: variableNode(name),
    type: { kind: Kind.NAMED_TYPE, name: nameNode(type) },
  };
}

function argument(name: string, variable: string): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: nameNode(name), value: variableNode(variable) };
}

function selection(...selections: FieldNode[]) {
  return { kind: Kind.SELECTION_SET, selections } as const;
}

function plain(name: string, within: FieldNode[] = []): FieldNode {
  return {
    kind: Kind.FIELD,
    name: nameNode(name),
    ...(within.length > 0 && { selectionSet: selection(...within) }),
  };
}
