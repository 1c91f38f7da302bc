import type { FastifyRequest } from "fastify";
import type { ExecutionResult, OperationDefinitionNode } from "graphql";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import { toldCost, type Cost, type ToldCost } from "../../engine/limits/cost-limit.js";
import { idempotentRequest, type IdempotentRequest } from "../../engine/idempotency/idempotent-request.js";
import type { Request } from "../../engine/request/request.js";
import type { Variables } from "../../engine/schema/root-operations.js";

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
  /** The result of an operation that ran before Apollo was called. */
  answered: ExecutionResult | null = null;
  /** Whether the answer is that of an operation, which says its cost. */
  hasTold = false;
  private once: IdempotentRequest | null = null;

  constructor(
    readonly request: Request,
    private readonly http: Pick<FastifyRequest, "graphql" | "trace" | "account">,
  ) {
    const { graphql, trace } = http;
    const { operation, cost } = graphql ?? NOTHING_ASKED;
    this.operation = operation;
    this.cost = cost;
    this.trace = trace;
  }

  /**
   * Describes a mutation that came with an `Idempotency-Key`, however often it is asked; `null` for all other operations.
   *
   * @param asked.hash returns the SHA-256 of the document's text.
   */
  idempotency(asked: {
    readonly kind: OperationDefinitionNode["operation"];
    readonly name: string | null;
    readonly hash: () => string;
    readonly variables: Variables;
  }): IdempotentRequest | null {
    const { idempotencyKey } = this.request;
    if (idempotencyKey === undefined || asked.kind !== "mutation") return null;
    const target = () => `graphql ${asked.hash()}:${asked.name ?? ""}`;
    return (this.once ??= idempotentRequest(idempotencyKey, target(), asked.variables));
  }

  /** Notes a cost that the document guard could not know. It is the request's: Apollo runs operations on a copy of this context. */
  reckon(cost: Cost): void {
    this.http.graphql = { ...(this.http.graphql ?? { operation: null, variables: {} }), cost };
  }

  /** Returns what the answer says of a cost, with the time until the operation had ended. */
  told(cost: Cost): ToldCost {
    this.hasTold = true;
    return toldCost(cost, this.request.turn.used, this.http.account.left);
  }

  /** Counts a cost that the document guard could not know. @throws DomainError RATE_LIMITED. */
  charge({ requested }: Cost): Promise<void> | undefined {
    return this.http.account.charge(requested);
  }
}
