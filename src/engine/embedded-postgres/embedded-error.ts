import { OperatorError } from "../../core/errors/operator-error.js";

/** The embedded PostgreSQL cannot run. */
export class EmbeddedPostgresError extends OperatorError {
  override readonly name = "EmbeddedPostgresError";
}
