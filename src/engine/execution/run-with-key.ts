import type { ExecutionResult } from "graphql";
import { invalidField } from "../../core/errors/domain-error.js";
import { IDEMPOTENCY_KEY, type IdempotentRequest } from "../idempotency/idempotent-request.js";
import { WAITING_SHARE } from "../connections/pool.js";
import { runOnce, type Acts } from "../idempotency/run-once.js";
import type { Request } from "../request/request.js";
import type { Operation } from "../schema/operation.js";
import { located, type RootOperation } from "../schema/root-operations.js";

/**
 * Runs a document that came with an `Idempotency-Key`. Access is decided first: a caller without access never sees
 * the answer that another one got, and no transaction is opened for it. Operations that sign in take no key, since
 * their answers are tokens and their failures have to be counted; a document must not mix them with operations that
 * take one.
 */
export async function runWithKey(
  request: Request,
  idempotency: IdempotentRequest,
  { roots, ...acts }: { roots: readonly RootOperation[] } & Acts,
): Promise<ExecutionResult> {
  const signIns = roots.filter(({ operation }) => takesNoKey(operation));
  if (signIns.length === roots.length) return (await acts.act(request.runtime)).result;
  for (const { operation, args, field } of roots) {
    // A directive may leave the field out of the run, so the guard decides later.
    if (operation === undefined || (field.directives ?? []).length > 0) continue;
    try {
      await request.admissions.admit(operation, args);
    } catch (error) {
      return { data: null, errors: [located(error, field)] };
    }
  }
  const [signIn] = signIns;
  if (signIn === undefined) return runWithFetches(request, idempotency, acts);
  const mixed = invalidField(IDEMPOTENCY_KEY, "unsupported", `does not go with ${signIn.field.name.value}`);
  return { data: null, errors: [located(mixed, signIn.field)] };
}

/** Runs the document; as often as it asks for pictures to be fetched, these are fetched and it begins again. */
async function runWithFetches(
  request: Request,
  idempotency: IdempotentRequest,
  acts: Acts,
): Promise<ExecutionResult> {
  const { fetches, runtime } = request;
  for (;;) {
    const result = await runOnce(request, idempotency, acts);
    if (!fetches.areWanted) return result;
    await fetches.fetchWanted(runtime.files, request, runtime.requestTimeoutMs * WAITING_SHARE);
  }
}

function takesNoKey(operation: Operation | undefined): boolean {
  const access = operation?.access;
  if (access?.kind === "open") return access.ignoresToken;
  return (access?.kind === "signedIn" || access?.kind === "permission") && access.ignoresKey === true;
}
