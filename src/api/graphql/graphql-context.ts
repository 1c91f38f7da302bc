import type { ExecutionResult } from "graphql";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Cost } from "../../engine/limits/cost-limit.js";
import type { RequestTrace } from "../../engine/observability/request-trace.js";
import type { Request } from "../../engine/request/request.js";

/** The operation that a GraphQL request asks for, as far as its text tells before Apollo looks at it. */
export interface AskedOperation {
  /** `null` for what does not fit the schema, which Apollo tells. */
  readonly operation: PreparedOperation | null;
  readonly cost: Cost | null;
}

/** What Apollo hands through from the request to the execution. */
export interface GraphqlContext extends AskedOperation {
  readonly request: Request;
  readonly trace: RequestTrace | null;
  /** The result of a query that ran before Apollo was asked. */
  answered: ExecutionResult | null;
}
