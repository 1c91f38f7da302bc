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
