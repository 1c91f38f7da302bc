import type { ExecutionResult, GraphQLError } from "graphql";
import type { Caller } from "../../core/access/caller.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { Db } from "../../core/db/db.js";
import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import { presentError } from "../errors/present.js";
import { located } from "../schema/root-operations.js";
import { WAITING_SHARE } from "../connections/pool.js";
import type { Turn } from "../limits/fair-turns.js";
import { AnswerSeal } from "./answer-seal.js";
import { bytesOf, keepAnswer, lockAndFind, QUOTA_SECONDS } from "./idempotency.sql.js";
import {
  assertIdempotencyKey,
  IDEMPOTENCY_KEY,
  ownerOf,
  type IdempotentRequest,
} from "./idempotent-request.js";
import { keeperOf, keptAnswersQuota } from "./kept-answers.quota.js";
import { quotaUsedUp } from "../../core/quotas/quota.js";
import { stillRunning, type KeyedTurns } from "./keyed-turns.js";
import type { AnsweredRows } from "./read-again.js";
import { readAnswer, writeAnswer, type KeptAnswer } from "./stored-answer.js";

/** The end of a run. */
export interface Outcome {
  readonly result: ExecutionResult;
  /** Whether an operation passed its checks and began to act. */
  readonly hasBegun: boolean;
}

/** What is known of a request that comes with a key. */
interface KeyedRequest {
  readonly id: string;
  readonly address: string;
  readonly caller: Caller;
  readonly runtime: Runtime;
  readonly turn: Turn;
  readonly keyedTurns: KeyedTurns;
}

/** What a request with a key may have to do. */
export interface Acts {
  /** Runs the document. */
  readonly act: (runtime: Runtime) => Promise<Outcome>;
  /** Names the rows of an answer; `null` when they cannot be read again. */
  readonly rowsOf: (data: ExecutionResult["data"]) => AnsweredRows | null;
  /** Whether answers may hold what is known of persons. */
  readonly mayHoldPersons: () => boolean;
  /** Reads the rows of an answer again. */
  readonly readAgain: (runtime: Runtime, rows: AnsweredRows) => Promise<ExecutionResult>;
}

/** An answer that is longer is not kept as a whole, in characters. */
const MAX_KEPT = 65_536;

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
  request: KeyedRequest,
  idempotency: IdempotentRequest,
  acts: Acts,
): Promise<ExecutionResult> {
  const { runtime, caller, address, turn, keyedTurns } = request;
  const { fingerprint } = idempotency;
  const afterwards: (() => void)[] = [];
  try {
    assertIdempotencyKey(idempotency.key);
    const owner = ownerOf(caller, address);
    const secrets = runtime.keys.secrets.map((secret) => secret.key);
    const seal = new AnswerSeal(secrets, owner, idempotency.key);
    const { keeper, shares } = keeperOf(caller, address);
    const runInTransaction = runtime.writer.$transaction.bind(runtime.writer);
    const result = await keyedTurns.take(seal.id.toString("base64"), turn, () =>
      runInTransaction(async (tx) => {
        const lockTimeoutMs = Math.round(runtime.requestTimeoutMs * WAITING_SHARE);
        const companyId = "companyId" in caller ? caller.companyId : null;
        const locked = await lockAndFind(tx, seal.id, { keeper, lockTimeoutMs, companyId });
        if (locked === "taken") throw stillRunning();
        const { kept, keptBytes } = locked;
        if (kept !== null) {
          const answer = assertSameRequest(seal.open(kept.answer), idempotency);
          idempotency.replayed = true;
          const isOutdated = kept.isOutdated && acts.mayHoldPersons();
          const rows = answer.rows ?? (isOutdated ? rowsInstead(answer.result, acts.rowsOf) : null);
          if (rows === null) return answer.result ?? {};
          return await acts.readAgain(
            runtime.within(tx, () => undefined),
            rows,
          );
        }
        const fresh = await attempt(runtime, tx, acts.act, afterwards);
        const text = textToKeep(fresh, { fingerprint, requestId: request.id, rowsOf: acts.rowsOf });
        const sealed = seal.close(text);
        const limit = runtime.quotas.limitOf(keptAnswersQuota);
        if (limit !== null && keptBytes + bytesOf(sealed) > Math.floor(limit / shares))
          throw quotaUsedUp(keptAnswersQuota, limit, QUOTA_SECONDS);
        await keepAnswer(tx, seal.id, sealed, keeper);
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
  tx: Db,
  act: Acts["act"],
  afterwards: (() => void)[],
): Promise<ExecutionResult> {
  let hasBegun = false;
  try {
    return await tx.$transaction(async (savepoint) => {
      const own = runtime.within(savepoint, (task) => void afterwards.push(task));
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

/**
 * Writes the answer that is kept.
 *
 * @throws DomainError BAD_REQUEST when it is too large and its rows cannot be read again; nothing takes effect then.
 */
function textToKeep(
  fresh: ExecutionResult,
  { fingerprint, requestId, rowsOf }: { fingerprint: string; requestId: string; rowsOf: Acts["rowsOf"] },
): string {
  const whole = writeAnswer(fresh, { fingerprint, requestId });
  if (whole.length <= MAX_KEPT) return whole;
  const rows = rowsOf(fresh.data);
  if (rows !== null) return writeAnswer(fresh, { fingerprint, requestId, rows });
  const message = `goes with an answer of at most ${MAX_KEPT} characters, or with rows whose id is asked for`;
  throw new DomainError("BAD_REQUEST", `The ${IDEMPOTENCY_KEY} ${message}.`, {
    errors: [{ field: IDEMPOTENCY_KEY, rule: "max_length", message }],
  });
}

/**
 * Names the rows that an answer has, which may hold what was erased since: they are read again. A refusal names none.
 *
 * @throws DomainError CONFLICT for an answer whose rows cannot be read again.
 */
function rowsInstead({ data }: ExecutionResult, rowsOf: Acts["rowsOf"]): AnsweredRows | null {
  if (data == null) return null;
  const rows = rowsOf(data);
  if (rows === null)
    throw new DomainError(
      "CONFLICT",
      "The request under this key took effect; its answer is gone, since it may have held what was erased.",
    );
  return rows;
}

function assertSameRequest(text: string | null, { fingerprint }: IdempotentRequest): KeptAnswer {
  if (text === null) throw new DomainError("CONFLICT", "The answer under this key cannot be read any more.");
  const answer = readAnswer(text);
  if (answer.fingerprint !== fingerprint)
    throw invalidField(IDEMPOTENCY_KEY, "reused", "was sent with another request before");
  return answer;
}
