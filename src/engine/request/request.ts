import type { Caller } from "../../core/access/caller.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { RequestTrace } from "../observability/request-trace.js";
import { Admissions } from "./admissions.js";

/** One request as it came, the same from its first hook to its answer. */
export interface Request {
  readonly id: string;
  /** Network address of the caller. */
  readonly address: string;
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /** The header `Idempotency-Key`; whether it counts depends on the operation. */
  readonly idempotencyKey: string | undefined;
  readonly runtime: Runtime;
  /** Where the caller was let in; asked once for each operation and company. */
  readonly admissions: Admissions;
}

export type RequestFacts = Omit<Request, "admissions" | "at"> & { readonly trace: RequestTrace | null };

export function createRequest({ trace, ...facts }: RequestFacts): Request {
  const { caller, runtime } = facts;
  if (trace !== null) trace.caller = caller;
  return Object.freeze({
    ...facts,
    at: new Date(),
    admissions: new Admissions(caller, runtime, (companyId) => trace?.enterCompany(companyId)),
  });
}
