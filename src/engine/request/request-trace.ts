import type { Caller } from "../../core/access/caller.js";
import { traceBelow, traceParent, type TraceContext } from "../../core/trace-context.js";
import type { Face } from "../request/face.js";

/** The name for requests that reached no operation: the path is unknown, or the document could not be read. */
export const NO_OPERATION = "none";

/** The facts about one request that the log and the metrics use. It holds no secret that the caller sent. */
export class RequestTrace {
  /** The route's operation, or the root fields of a GraphQL document, of which several have commas between. */
  operation = NO_OPERATION;
  /** What the caller calls its GraphQL operation; `null` when it has no name. */
  documentName: string | null = null;
  /** The code of the first error, see `core/errors/codes.ts`. */
  code: string | null = null;
  /** The duration of each SQL statement in milliseconds; `null` when statements are not assigned to requests. */
  statements: number[] | null = null;
  /** The caller; `null` when the request did not need to know it. */
  caller: Caller | null = null;
  private enteredCompany: number | null = null;
  private hasFault = false;

  constructor(
    public face: Face,
    private readonly parent: TraceContext | null = null,
    /** The place of the request in a trace, below the caller's where it names one. */
    readonly context: TraceContext = traceBelow(parent),
    private readonly onFault: () => void = () => undefined,
  ) {}

  /** Counts the request among those that have met a fault, once. */
  fault(): void {
    if (this.hasFault) return;
    this.hasFault = true;
    this.onFault();
  }

  /** The header `traceparent` of what the request causes; `null` where its caller has named no trace. */
  get named(): string | null {
    return this.parent === null ? null : traceParent(this.context);
  }

  /** Counts a statement that has ended. */
  statement(milliseconds: number): void {
    this.statements?.push(milliseconds);
  }

  /** Remembers the first company that the caller was let into. */
  enterCompany(companyId: number): void {
    this.enteredCompany ??= companyId;
  }

  /** The principal as `admin:5`, `platform` or `anonymous`; `null` when the request did not need to know it. */
  get principal(): string | null {
    if (this.caller === null) return null;
    return "id" in this.caller ? `${this.caller.kind}:${this.caller.id}` : this.caller.kind;
  }

  /** The company that the request entered, else the company of the token. */
  get companyId(): number | null {
    if (this.enteredCompany !== null) return this.enteredCompany;
    return this.caller !== null && "companyId" in this.caller ? this.caller.companyId : null;
  }

  get sqlMilliseconds(): number {
    return this.statements?.reduce((sum, milliseconds) => sum + milliseconds, 0) ?? 0;
  }
}
