import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  isInputObjectType,
  type GraphQLArgument,
  type GraphQLArgumentConfig,
  type GraphQLField,
  type GraphQLFieldConfig,
} from "graphql";
import { FOLLOWED } from "../../core/operations/followed.js";

/** Arguments of the query that are no arguments of its subscription. */
const OF_PAGES: ReadonlySet<string> = new Set(["first", "filter"]);

/** What a page begins behind; where none is named, a subscription begins elsewhere than the list. */
const PLACE = "after";
const PLACE_OF_SUBSCRIPTION =
  "The cursor behind which to begin where no `Last-Event-ID` names one; now when absent or `now`.";

/** Adds a subscription for each query that can be followed. It has no resolver: the pages of the query are what it sends. */
export function withSubscriptions(schema: GraphQLSchema): GraphQLSchema {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const followed = queries.filter(({ extensions }) => extensions[FOLLOWED] !== undefined);
  if (followed.length === 0) return schema;
  const fields = Object.fromEntries(followed.map((query) => [query.name, subscriptionTo(query)]));
  const subscription = new GraphQLObjectType({ name: "Subscription", fields });
  return new GraphQLSchema({ ...schema.toConfig(), subscription });
}

function subscriptionTo({
  type,
  args,
  extensions,
}: GraphQLField<unknown, unknown>): GraphQLFieldConfig<unknown, unknown> {
  const connection = getNamedType(type) as GraphQLObjectType;
  const node = getNamedType(connection.getFields()["nodes"]?.type) as GraphQLObjectType;
  const own = args.filter(({ name }) => !OF_PAGES.has(name)).map(configOf);
  return {
    type: new GraphQLNonNull(node),
    description: extensions[FOLLOWED] as string,
    args: Object.fromEntries([...own, ...conditionsOf(args)]),
    extensions: { access: extensions["access"] },
  };
}

type NamedConfig = readonly [name: string, config: GraphQLArgumentConfig];

function configOf({ name, type, description }: GraphQLArgument): NamedConfig {
  return [name, { type, description: name === PLACE ? PLACE_OF_SUBSCRIPTION : description }];
}

/** The fields of the argument `filter`. */
function conditionsOf(args: readonly GraphQLArgument[]): NamedConfig[] {
  const filter = getNullableType(args.find(({ name }) => name === "filter")?.type);
  if (!isInputObjectType(filter)) return [];
  return Object.values(filter.getFields()).map(({ name, type, description }) => [
    name,
    { type, description },
  ]);
}
