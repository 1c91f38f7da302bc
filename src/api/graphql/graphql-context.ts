import type { ExecutionResult } from "graphql";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Cost } from "../../engine/limits/cost-limit.js";
import type { RequestTrace } from "../../engine/observability/request-trace.js";
import type { Request } from "../../engine/request/request.js";

/** The operation that a GraphQL request asks for, as far as its text shows it before Apollo is called. */
export interface AskedOperation {
  /** `null` for a document that does not fit the schema; Apollo reports that. */
  readonly operation: PreparedOperation | null;
  readonly cost: Cost | null;
}

/** The context that Apollo passes from the request to the execution. */
export interface GraphqlContext extends AskedOperation {
  readonly request: Request;
  readonly trace: RequestTrace | null;
  /** Counts a cost that the document guard could not know. @throws DomainError RATE_LIMITED. */
  charge(cost: Cost): Promise<void> | undefined;
  /** The result of a query that ran before Apollo was called. */
  answered: ExecutionResult | null;
}
