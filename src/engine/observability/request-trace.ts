import type { Caller } from "../../core/access/caller.js";

/** The door a request came through. */
export type Face = "graphql" | "rest" | "other";

/** No operation was reached: the path is unknown or the document could not be read. */
export const NO_OPERATION = "none";

/** What the log and the metrics tell of one request. Holds nothing that the caller sent as a secret. */
export class RequestTrace {
  operation = NO_OPERATION;
  /** Code of the first error, see `core/errors/codes.ts`. */
  code: string | null = null;
  /** Milliseconds of each SQL statement; `null` where statements are not told apart by request. */
  statements: number[] | null = null;
  /** Who asks; `null` when nobody asked who it was. */
  caller: Caller | null = null;
  private enteredCompany: number | null = null;

  constructor(public face: Face) {}

  /** Remembers the first company that the caller was let into. */
  enterCompany(companyId: number): void {
    this.enteredCompany ??= companyId;
  }

  /** `admin:5`, `platform`, `anonymous`; `null` when nobody asked who it was. */
  get principal(): string | null {
    if (this.caller === null) return null;
    return "id" in this.caller ? `${this.caller.kind}:${this.caller.id}` : this.caller.kind;
  }

  /** The company that was acted on, else that of the token. */
  get companyId(): number | null {
    if (this.enteredCompany !== null) return this.enteredCompany;
    return this.caller !== null && "companyId" in this.caller ? this.caller.companyId : null;
  }

  get sqlMilliseconds(): number {
    return this.statements?.reduce((sum, milliseconds) => sum + milliseconds, 0) ?? 0;
  }
}
