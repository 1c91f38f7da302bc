import type { GraphQLFieldConfig } from "graphql";

/** A field while the schema is finished: what `mapSchema` hands out and takes back. */
export type FieldConfig = GraphQLFieldConfig<unknown, unknown>;
