import type { ExecutionResult, GraphQLError } from "graphql";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { Outcome } from "../execution/run-operation.js";
import type { Request } from "../request/request.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import { presentError } from "../errors/present.js";
import { located } from "../execution/root-operations.js";
import { WAITING_SHARE } from "../data/pool.js";
import { AnswerSeal } from "./answer-seal.js";
import { findAnswer, lockKey, keepAnswer } from "./idempotency.sql.js";
import {
  assertIdempotencyKey,
  IDEMPOTENCY_KEY,
  ownerOf,
  type IdempotentRequest,
} from "./idempotent-request.js";
import { stillRunning } from "./keyed-turns.js";
import { readAnswer, writeAnswer } from "./stored-answer.js";

/** Runs the document with the given runtime. */
export type Act = (runtime: Runtime) => Promise<Outcome>;

/**
 * Answers a request with an `Idempotency-Key` (contract §7). All its writes and its answer are one transaction,
 * which locks the key by an advisory lock: there is never an effect without its answer or an answer without its
 * effect, and a crash unlocks the key. When anything fails, nothing of the request takes effect. All of it goes over the
 * transaction's own connection: if it needed a second one of the same pool, many such requests would wait for each other.
 *
 * Answers are kept, and so are refusals by the operation itself, such as for the state of a row. Other refusals are
 * not kept: those that came before the operation began (access, input), and those that may end differently a moment
 * later (a concurrent change, an overload). They changed nothing, so the same key may be sent again, even with
 * better input.
 *
 * @returns refusals of the key as well: VALIDATION_FAILED with rule `reused` when the key came with another request
 *   before, CONFLICT while the first request runs.
 */
export async function runOnce(
  request: Request,
  idempotency: IdempotentRequest,
  act: Act,
): Promise<ExecutionResult> {
  const { runtime, caller, address, turn, keyedTurns } = request;
  const afterwards: (() => void)[] = [];
  try {
    assertIdempotencyKey(idempotency.key);
    const owner = ownerOf(caller, address);
    const seal = new AnswerSeal(runtime.keys.secret, owner, idempotency.key);
    const runInTransaction = runtime.writer.$transaction.bind(runtime.writer);
    const result = await keyedTurns.take(seal.id.toString("base64"), turn, () =>
      runInTransaction(async (transaction) => {
        const tx = transaction as PrismaClient;
        const lockTimeoutMs = Math.round(runtime.requestTimeoutMs * WAITING_SHARE);
        if (!(await lockKey(tx, seal.id, lockTimeoutMs))) throw stillRunning();
        const kept = await findAnswer(tx, seal.id);
        if (kept !== null) return replay(seal.open(kept), idempotency);
        const fresh = await attempt(runtime, tx, act, afterwards);
        await keepAnswer(tx, seal.id, seal.close(writeAnswer(fresh, idempotency.fingerprint, request.id)));
        return fresh;
      }),
    );
    for (const task of afterwards) task();
    return result;
  } catch (error) {
    if (error instanceof Undone) return error.result;
    return { data: null, errors: [located(error)] };
  }
}

/** The operation ended with errors, so its transaction has to be undone. */
class Undone extends Error {
  constructor(readonly result: ExecutionResult) {
    super("refused");
  }
}

/**
 * Runs the document within a savepoint: a refusal that is kept stays in the transaction, while its writes are
 * undone.
 */
async function attempt(
  runtime: Runtime,
  tx: PrismaClient,
  act: Act,
  afterwards: (() => void)[],
): Promise<ExecutionResult> {
  let hasBegun = false;
  try {
    return await tx.$transaction(async (savepoint) => {
      const own = runtime.within(savepoint as PrismaClient, (task) => void afterwards.push(task));
      const outcome = await act(own);
      const { result } = outcome;
      hasBegun = outcome.hasBegun;
      if (result.errors === undefined) return result;
      throw new Undone({ data: null, errors: result.errors });
    });
  } catch (error) {
    afterwards.length = 0;
    if (error instanceof Undone && hasBegun && error.result.errors?.every(isFinal) === true)
      return error.result;
    throw error;
  }
}

/**
 * Whether a refusal is decided by stored rows: any other one asks the caller to try again or to send something
 * else.
 */
function isFinal(error: GraphQLError): boolean {
  const { status, code } = presentError(error);
  return [404, 409, 422].includes(status) && code !== "CONFLICT";
}

function replay(text: string | null, idempotency: IdempotentRequest): ExecutionResult {
  if (text === null) throw new DomainError("CONFLICT", "The answer under this key cannot be read any more.");
  const { fingerprint, result } = readAnswer(text);
  if (fingerprint !== idempotency.fingerprint)
    throw invalidField(IDEMPOTENCY_KEY, "reused", "was sent with another request before");
  idempotency.replayed = true;
  return result;
}
