import type { FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import { toldCost, type Cost, type ToldCost } from "../../engine/limits/cost-limit.js";
import type { Request } from "../../engine/request/request.js";

/** The operation that a GraphQL request asks for, as far as its text shows it before Apollo is called. */
export interface AskedOperation {
  /** `null` for a document that does not fit the schema; Apollo reports that. */
  readonly operation: PreparedOperation | null;
  readonly cost: Cost | null;
}

/** Stands for a request whose text the document guard has not seen. */
const NOTHING_ASKED: AskedOperation = { operation: null, cost: null };

/** The context that Apollo passes from the request to the execution. */
export class GraphqlContext implements AskedOperation {
  readonly operation;
  readonly cost;
  readonly trace;
  /** The result of a query that ran before Apollo was called. */
  answered: ExecutionResult | null = null;

  constructor(
    readonly request: Request,
    private readonly http: FastifyRequest,
  ) {
    const { graphql, trace } = http;
    const { operation, cost } = graphql ?? NOTHING_ASKED;
    this.operation = operation;
    this.cost = cost;
    this.trace = trace;
  }

  /** Returns what the answer says of a cost. */
  told(cost: Cost): ToldCost {
    return toldCost(cost, this.request.turn.usedUntilNow(), this.http.account.left);
  }

  /** Counts a cost that the document guard could not know. @throws DomainError RATE_LIMITED. */
  charge({ requested }: Cost): Promise<void> | undefined {
    return this.http.account.charge(requested);
  }
}
