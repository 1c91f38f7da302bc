import { readFileSync } from "node:fs";
import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
} from "graphql";
import { RestRoute } from "../../../src/api/rest/rest-route.js";
import type { FinishedSchema } from "../../../src/engine/guard/finish-schema.js";
import { fieldOf } from "../../support/operations.js";
import { sharedRestDocuments } from "../../support/schema.js";
import type { Asked } from "../calm/attacker.js";

/** Returns the document with this number. By GraphQL no two are alike; over REST one in a hundred comes again. */
export type DocumentOf = (index: number) => Asked;

interface List {
  readonly name: string;
  /** The type of the variable `filter`, when the list takes one, and a column of it. */
  readonly filter: { readonly type: string; readonly column: string } | null;
  readonly fields: readonly string[];
}

interface Route {
  readonly path: string;
  readonly keys: readonly string[];
}

const WRITES = ["createGood", "createCoupon", "createProperty", "createClient"] as const;
const FIELDS = 8;
/** The multiplier of a generator of pseudo-random numbers, which make the same selection of fields at each run. */
const MULTIPLIER = 1_103_515_245;

/**
 * Returns documents of the lists and changes of the schema, over both faces, each of which selects other fields: of ten of
 * them five read by GraphQL, two change by GraphQL what is refused, and three read over REST.
 */
export function differentDocuments(finished: FinishedSchema, companyId: number): DocumentOf {
  const lists = listsOf(finished);
  const routes = routesOf(finished);
  return (index) => {
    const kind = index % 10;
    const turn = Math.floor(index / 10);
    if (kind < 5) return reading(at(lists, turn * 5 + kind), { companyId, index });
    if (kind < 7) return changing(finished, at(WRITES, turn), { companyId, index });
    const { path, keys } = at(routes, turn * 3 + kind);
    const fields = some(keys, index);
    return {
      path: `/api${path.replace(/\{\w+\}/u, String(companyId))}?per_page=2&fields=${fields.join(",")}`,
    };
  };
}

function reading({ name, filter, fields }: List, { companyId, index }: Place): Asked {
  const declared = filter === null ? "" : `, $f${index}: ${filter.type}`;
  const passed = filter === null ? "" : `, filter: $f${index}`;
  const selected = some(fields, index).map((field) => `${field}_${index}: ${field}`);
  const query = `query Q${index}($c${index}: Int!${declared}) { l${index}: ${name}(companyId: $c${index}, first: 2${passed}) { nodes { ${selected.join(" ")} } } }`;
  const variables = {
    [`c${index}`]: companyId,
    ...(filter !== null && { [`f${index}`]: filterOf(filter.column, index) }),
  };
  return { method: "POST", path: "/graphql", body: { query, variables } };
}

function filterOf(column: string, index: number): object {
  const bound = column === "id" ? index % 7 : "2020-01-01T00:00:00Z";
  return index % 2 === 0 ? { [column]: { gte: bound } } : { not: { or: [{ [column]: { lt: bound } }] } };
}

/** A change whose row the database lacks, or whose input breaks a rule. */
function changing(finished: FinishedSchema, name: string, { companyId, index }: Place): Asked {
  const operation = finished.operations.get(name);
  if (operation === undefined) throw new Error(`there is no ${name}`);
  const field = fieldOf(finished, operation);
  const input = field.args.find((argument) => argument.name === "input");
  const type = getNamedType(field.type) as GraphQLObjectType;
  const selected = some(leavesOf(type), index).map((leaf) => `${leaf}_${index}: ${leaf}`);
  const query = `mutation M${index}($c: Int!, $i${index}: ${String(input?.type)}) { m${index}: ${name}(companyId: $c, input: $i${index}) { ${selected.join(" ")} } }`;
  return {
    method: "POST",
    path: "/graphql",
    body: { query, variables: { c: companyId, [`i${index}`]: { name: "" } } },
  };
}

interface Place {
  readonly companyId: number;
  readonly index: number;
}

/** The lists of a company that need no other argument. */
function listsOf(finished: FinishedSchema): List[] {
  const lists = [...finished.operations.values()].flatMap((operation): List[] => {
    const field = fieldOf(finished, operation);
    const required = field.args.filter((argument) => isNonNullType(argument.type));
    const names = field.args.map((argument) => argument.name);
    const connection = getNamedType(field.type);
    if (
      operation.kind !== "query" ||
      operation.access.kind === "client" ||
      required.length !== 1 ||
      required[0]?.name !== "companyId"
    )
      return [];
    if (!names.includes("first") || !isObjectType(connection)) return [];
    const node = connection.getFields()["nodes"];
    if (node === undefined) return [];
    const fields = leavesOf(getNamedType(node.type) as GraphQLObjectType);
    const filter = field.args.find((argument) => argument.name === "filter");
    return fields.length < FIELDS
      ? []
      : [{ name: operation.name, filter: filter === undefined ? null : filterTypeOf(filter.type), fields }];
  });
  return lists;
}

function filterTypeOf(type: GraphQLInputType): List["filter"] {
  const columns = getNamedType(type) as GraphQLInputObjectType;
  const column = ["id", "createdAt"].find((name) => name in columns.getFields());
  return column === undefined ? null : { type: String(type), column };
}

function leavesOf(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0)
    .map(({ name }) => name);
}

interface Reference {
  readonly paths: Readonly<
    Record<
      string,
      {
        get?: {
          parameters?: {
            name?: string;
            in?: string;
            required?: boolean;
            schema?: { items?: { enum?: string[] } };
          }[];
        };
      }
    >
  >;
}

/** The lists of a company of which a request chooses the keys. */
function routesOf({ schema, operations }: FinishedSchema): Route[] {
  const text = readFileSync(new URL("../../../schema/openapi.json", import.meta.url), "utf8");
  const { paths } = JSON.parse(text) as Reference;
  return sharedRestDocuments().routes.flatMap((document) => {
    const { rest, isPaged, operation, pathParameters } = new RestRoute(document, schema, operations);
    const parameters = paths[rest.path]?.get?.parameters ?? [];
    const keys = parameters.find(({ name }) => name === "fields")?.schema?.items?.enum ?? [];
    const isFree = !parameters.some((parameter) => parameter.in === "query" && parameter.required === true);
    const isCompanys = pathParameters.join() === "companyId" && operation.access.kind !== "client";
    return rest.method === "GET" && isPaged && isCompanys && isFree && keys.length >= 2 * FIELDS
      ? [{ path: rest.path, keys }]
      : [];
  });
}

/** Returns some of the names, others for each number. */
function some(names: readonly string[], index: number): string[] {
  const left = [...names];
  let random = index + 1;
  const chosen: string[] = [];
  while (chosen.length < FIELDS && left.length > 0) {
    random = (Math.imul(random, MULTIPLIER) + 12_345) >>> 0;
    chosen.push(...left.splice((random >>> 8) % left.length, 1));
  }
  return chosen;
}

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
