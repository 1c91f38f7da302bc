/**
 * The embedded PostgreSQL cannot run. The message is for the operator who started the process, and needs no stack.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}
