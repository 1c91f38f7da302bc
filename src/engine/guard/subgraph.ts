import { MapperKind, mapSchema, printSchemaWithDirectives } from "@graphql-tools/utils";
import {
  getNamedType,
  getNullableType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  type GraphQLFieldConfigMap,
  type GraphQLResolveInfo,
} from "graphql";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import { ROWS_NAMED_BY } from "../../core/operations/operation-arguments.js";
import { delegateName, ownerField, type ModelName } from "../../core/scope/tenant-models.js";
import type { Row } from "../../core/relations/relations.js";
import { relationResolver } from "../loading/relation-resolver.js";
import { VALUE_LIMITS } from "../limits/value-bounds.js";
import { companiesOfRows } from "../request/company-of-row.js";
import type { Run } from "../request/run.js";
import type { Operation } from "../schema/operation.js";
import type { FinishedSchema } from "./finish-schema.js";
import { accessToOne } from "./guard-relation.js";

const SPECIFICATION = "https://specs.apollo.dev/federation/v2.3";
/** The field by which other subgraphs name a row: ids are unique over all companies. */
const KEY = "id";

/** A type whose rows other subgraphs may name, and the query of one of them, whose readers may read it here. */
interface Entity {
  readonly model: ModelName;
  readonly query: Operation;
  readonly argument: string;
  /** Reads a row as a relation to it does. */
  readonly read: (place: Row, args: unknown, run: Run, info: GraphQLResolveInfo) => unknown;
}

/** A row as another subgraph names it. */
interface Representation {
  readonly __typename: string;
  readonly [KEY]: unknown;
}

/**
 * Adds what a gateway of Apollo Federation 2 asks for: `_service`, and `_entities` for the types of which a query reads one row
 * by its id. Who may run that query, and follow a relation to such a row, may read it.
 */
export function asSubgraph(finished: FinishedSchema): FinishedSchema {
  const { schema } = finished;
  const entities = entitiesOf(finished);
  const typeOfRow = new WeakMap<object, string>();
  const entity = new GraphQLUnionType({
    name: "_Entity",
    description: "A row that another subgraph may name.",
    types: [...entities.keys()].map((name) => schema.getType(name) as GraphQLObjectType),
    resolveType: (row: object) => typeOfRow.get(row),
  });
  let sdl: string | undefined;
  const added: GraphQLFieldConfigMap<unknown, Run> = {
    _service: {
      description: "This subgraph, for the gateway that composes it.",
      type: new GraphQLNonNull(
        new GraphQLObjectType({
          name: "_Service",
          description: "A subgraph.",
          fields: { sdl: { type: new GraphQLNonNull(GraphQLString), description: "Its schema." } },
        }),
      ),
      resolve: () => ({ sdl: (sdl ??= sdlOf(schema, entities)) }),
    },
    _entities: {
      description: "Rows that another subgraph names, in that order; null for one that there is not.",
      type: new GraphQLNonNull(new GraphQLList(entity)),
      extensions: { [ROWS_NAMED_BY]: "representations" },
      args: {
        representations: {
          description: `Types and ids, ${VALUE_LIMITS.items} at most.`,
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ANY))),
        },
      },
      resolve: async (_root, args, run, info) => {
        const named = (args as { representations: readonly Representation[] }).representations;
        const rows = await run.budget.wholeList(() => readAll(named, { entities, run, info }));
        return rows.map((row, index) => {
          if (typeof row === "object" && row !== null) typeOfRow.set(row, named[index]?.__typename ?? "");
          return row;
        });
      },
    },
  };
  const config = schema.toConfig();
  const query = schema.getQueryType()?.toConfig();
  if (query === undefined) throw new Error("a subgraph needs queries");
  const extended = new GraphQLObjectType({ ...query, fields: { ...query.fields, ...added } });
  const types = config.types.filter(({ name }) => name !== query.name);
  return {
    ...finished,
    schema: new GraphQLSchema({ ...config, query: extended, types: [...types, entity] }),
  };
}

const ANY = new GraphQLScalarType({
  name: "_Any",
  description: "A row as another subgraph names it: its `__typename` and its `id`.",
});

/** The types of which a query reads one row by nothing but its id, unless that row is private to somebody. */
function entitiesOf({ schema, operations }: FinishedSchema): ReadonlyMap<string, Entity> {
  const found = new Map<string, Entity>();
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const query = operations.get(field.name);
    const type = getNullableType(field.type);
    const [id, ...others] = query?.idArguments ?? [];
    if (query === undefined || id === undefined || others.length > 0 || !isObjectType(type)) continue;
    const { model, argument } = id;
    const isOne = type.name === model && field.name === delegateName(model) && query.hasCompany;
    const hasKey = getNamedType(type.getFields()[KEY]?.type) === GraphQLInt;
    if (!isOne || !hasKey || ownerField(model) !== null) continue;
    const access = accessToOne(model, operations);
    if (access === undefined) continue;
    const read = relationResolver({ kind: "one", model, via: KEY, access }) as Entity["read"];
    found.set(model, { model, query, argument, read });
  }
  return found;
}

function sdlOf(schema: GraphQLSchema, entities: ReadonlyMap<string, Entity>): string {
  const marked = mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      if (!entities.has(type.name)) return undefined;
      const config = type.toConfig();
      const directives = { key: { fields: KEY } };
      return new GraphQLObjectType({ ...config, extensions: { ...config.extensions, directives } });
    },
  });
  const link = `extend schema @link(url: "${SPECIFICATION}", import: ["@key"])`;
  return `${link}\n\n${printSchemaWithDirectives(marked)}`;
}

interface Reading {
  readonly entities: ReadonlyMap<string, Entity>;
  readonly run: Run;
  readonly info: GraphQLResolveInfo;
}

/** Reads the rows: one statement for each type and company. A refusal stands in the place of its row. */
async function readAll(named: readonly Representation[], reading: Reading): Promise<unknown[]> {
  const companies = await companiesOf(named, reading);
  const reads = named.map(async (representation) => {
    const entity = reading.entities.get(representation.__typename);
    if (entity === undefined)
      throw new DomainError(
        "BAD_REQUEST",
        `${String(representation.__typename)} is no type that others may name.`,
      );
    const { [KEY]: id } = representation;
    const companyId = companies(entity.model, id);
    if (isId(id) && companyId !== null) return readOne(entity, { id, companyId }, reading);
    // Who may not read the type does not hear which rows there are.
    await reading.run.admissions.admit(entity.query, {});
    return null;
  });
  const settled = await Promise.allSettled(reads);
  return settled.map((one) => (one.status === "fulfilled" ? one.value : asError(one.reason)));
}

async function readOne(
  { query, argument, read }: Entity,
  place: { readonly id: number; readonly companyId: number },
  { run, info }: Reading,
): Promise<Row | null> {
  const company = await run.admissions.admit(query, { companyId: place.companyId, [argument]: place.id });
  if (company === null) throw notFound("Company");
  run.enter(company);
  const row = (await read(place, {}, run, info)) as Row | null;
  return row === null || row["deletedAt"] != null ? null : row;
}

type CompanyOf = (model: ModelName, id: unknown) => number | null;

/** Finds the companies of the rows: the caller's own, else those that the rows have. */
async function companiesOf(named: readonly Representation[], { entities, run }: Reading): Promise<CompanyOf> {
  const { caller } = run;
  if ("companyId" in caller) return () => caller.companyId;
  const found = new Map<ModelName, ReadonlyMap<number, number>>();
  for (const { model } of entities.values()) {
    const ids = named.filter(({ __typename }) => __typename === model).map(({ [KEY]: id }) => id);
    if (ids.length > 0) found.set(model, await companiesOfRows(run.client, model, ids.filter(isId)));
  }
  return (model, id) => found.get(model)?.get(id as number) ?? null;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
