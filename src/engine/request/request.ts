import type { Caller } from "../../core/access/caller.js";
import type { PictureAsker } from "../../core/files/files.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { KeyedTurns } from "../idempotency/keyed-turns.js";
import type { Turn } from "../limits/fair-turns.js";
import type { RequestTrace } from "./request-trace.js";
import { Fetches } from "../fetching/fetches.js";
import type { Account } from "../limits/account.js";
import { Admissions } from "./admissions.js";

/** One request, frozen: it stays the same from its first hook to its answer. */
export interface Request {
  readonly id: string;
  /** The caller's network, see `networkOf`. */
  readonly address: string;
  /** What the caller's program calls itself, see `deviceOf`; `null` for one that does not say. */
  readonly device: string | null;
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /** The header `Idempotency-Key`; the operation decides whether it counts. */
  readonly idempotencyKey: string | undefined;
  readonly runtime: Runtime;
  /** The share of the process that the request has while it runs. */
  readonly turn: Turn;
  readonly keyedTurns: KeyedTurns;
  /** The account on which its costs are counted. */
  readonly account: Account;
  /** The companies that the caller was let into; each operation and company is decided once. */
  readonly admissions: Admissions;
  /** The one who waits for its pictures and pays for them. */
  readonly asker: PictureAsker;
  /** The header `traceparent` of what it causes; `null` where its caller has named no trace. */
  readonly traceParent: string | null;
  /** The pictures that it has to fetch. */
  readonly fetches: Fetches;
}

export type RequestFacts = Omit<Request, "admissions" | "asker" | "at" | "fetches" | "traceParent"> & {
  readonly trace: RequestTrace | null;
};

/** The facts are named one by one: copying them by a pattern takes longer than all the rest. */
export function createRequest({
  id,
  address,
  device,
  caller,
  idempotencyKey,
  runtime,
  turn,
  keyedTurns,
  account,
  trace,
}: RequestFacts): Request {
  if (trace !== null) trace.caller = caller;
  const at = new Date();
  const traceParent = trace?.named ?? null;
  const admissions = new Admissions(caller, { runtime, at, trace });
  return Object.freeze({
    id,
    address,
    device,
    caller,
    at,
    idempotencyKey,
    runtime,
    turn,
    keyedTurns,
    account,
    admissions,
    asker: { name: turn.owner.name, charge: (cost: number) => account.charge(cost), traceParent },
    traceParent,
    fetches: new Fetches(),
  });
}
