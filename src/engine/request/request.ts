import type { Caller } from "../../core/access/caller.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { RequestTrace } from "../observability/request-trace.js";
import { Admissions } from "./admissions.js";

/** One request, frozen: it stays the same from its first hook to its answer. */
export interface Request {
  readonly id: string;
  /** The caller's network address. */
  readonly address: string;
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /** The header `Idempotency-Key`; the operation decides whether it counts. */
  readonly idempotencyKey: string | undefined;
  readonly runtime: Runtime;
  /** The companies that the caller was let into; each operation and company is decided once. */
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
