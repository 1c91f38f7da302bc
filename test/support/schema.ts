import { ApolloServer } from "@apollo/server";
import type { GraphQLSchema } from "graphql";
import type { RestDocuments } from "../../src/api/rest/rest-documents.js";
import { restDocumentsOf } from "../../src/app.js";
import type { FinishedSchema } from "../../src/engine/guard/finish-schema.js";
import { createSchema } from "../../src/schema.js";

let shared: FinishedSchema | undefined;
let documents: RestDocuments | undefined;

/** The schema of all services of this worker: building it takes a quarter of a second, and it never changes. */
export function sharedSchema(): FinishedSchema {
  return (shared ??= createSchema());
}

/** The REST documents of all services of this worker: reading and checking them takes as long as building the schema. */
export function sharedRestDocuments(): RestDocuments {
  return (documents ??= restDocumentsOf(sharedSchema()));
}

/** What Apollo makes of a schema: the start of the names of its documents, which is a hash of the printed schema. */
interface OfSchema {
  readonly documentStore: unknown;
  readonly documentStoreKeyPrefix: string;
}

const apollo = ApolloServer as unknown as {
  generateSchemaDerivedData(schema: GraphQLSchema, documentStore: unknown): OfSchema;
};
const { generateSchemaDerivedData: derive } = apollo;
const derived = new WeakMap<GraphQLSchema, OfSchema>();

// To print the schema takes longer than all else that Apollo does at its start.
apollo.generateSchemaDerivedData = (schema, documentStore) => {
  const ofSchema = derived.get(schema) ?? derive(schema, documentStore);
  derived.set(schema, ofSchema);
  return { ...ofSchema, documentStore };
};
