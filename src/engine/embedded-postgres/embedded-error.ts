/** The embedded PostgreSQL cannot run; the message is for whoever started the process and needs no stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}
