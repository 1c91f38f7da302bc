import type { ExecutionResult, GraphQLError } from "graphql";
import type { Caller } from "../../core/access/caller.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import { sqlStateOf } from "../errors/database-error.js";
import { presentError, rootCause } from "../errors/present.js";
import { located } from "../schema/root-operations.js";
import { WAITING_SHARE } from "../connections/pool.js";
import type { Turn } from "../limits/fair-turns.js";
import { AnswerSeal } from "./answer-seal.js";
import {
  askForKey,
  findAnswer,
  holdKey,
  keepAnswer,
  secondsUntilRoom,
  type Hold,
} from "./idempotency.sql.js";
import {
  assertIdempotencyKey,
  IDEMPOTENCY_KEY,
  ownerOf,
  type IdempotentRequest,
} from "./idempotent-request.js";
import { keepersOf, keptAnswersQuota } from "./kept-answers.quota.js";
import { quotaUsedUp } from "../../core/quotas/quota.js";
import { stillRunning, type KeyedTurns } from "./keyed-turns.js";
import { answerGone, type AnsweredRows } from "./read-again.js";
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
 * which holds the key by an advisory lock: there is never an effect without its answer or an answer without its
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
  const { caller, address, turn, keyedTurns, runtime } = request;
  try {
    assertIdempotencyKey(idempotency.key);
    const owner = ownerOf(caller, address);
    const secrets = runtime.keys.secrets.map((secret) => secret.key);
    const seal = new AnswerSeal(secrets, owner, idempotency.key);
    const once = { request, idempotency, seal, acts };
    return await keyedTurns.take(seal.id.toString("base64"), turn, {
      work: () => answerOnce(once),
      beside: () => answerBeside(once),
    });
  } catch (error) {
    if (error instanceof Undone) return error.result;
    return { data: null, errors: [located(error)] };
  }
}

interface Once {
  readonly request: KeyedRequest;
  readonly idempotency: IdempotentRequest;
  readonly seal: AnswerSeal;
  readonly acts: Acts;
}

/** Gives the answer that is kept under the key, else a new one, which it keeps. */
async function answerOnce(once: Once): Promise<ExecutionResult> {
  try {
    return await answerAnew(once, (own) => actOf(own, once.acts)).catch((error: unknown) => {
      if (!(error instanceof Undone && error.isKept)) throw error;
      // What was written is undone by now; the refusal is kept by a transaction of its own, unless another one has acted meanwhile.
      return answerAnew(once, () => Promise.resolve(error.result));
    });
  } catch (error) {
    if (error instanceof HeldByAnother) return answerBeside(once);
    if (!(error instanceof AnsweredBefore)) throw error;
    // An answer that is found no more has expired just now.
    return (await answerAgain(once)) ?? answerOnce(once);
  }
}

/** Gives the answer that is kept, to a request while another one holds its key: that may be a repeat as well. */
async function answerBeside(once: Once): Promise<ExecutionResult> {
  const result = await answerAgain(once);
  if (result === null) throw stillRunning();
  return result;
}

/**
 * Gives a new answer and keeps it, in one transaction that holds the key. The work may begin before the database has said whether the
 * key is free: none of its statements runs unless it is.
 *
 * @throws AnsweredBefore when an answer is kept under the key; HeldByAnother while another request holds it.
 */
async function answerAnew(
  { request, idempotency, seal, acts }: Once,
  work: (runtime: Runtime) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const { runtime, caller, address } = request;
  const { fingerprint } = idempotency;
  const keepers = keepersOf(caller, address);
  const room = runtime.quotas.limitOf(keptAnswersQuota);
  const lockTimeoutMs = Math.round(runtime.requestTimeoutMs * WAITING_SHARE);
  const afterwards: (() => void)[] = [];
  let hold: Hold | undefined;
  try {
    const result = await runtime.writer.$transaction(async (tx) => {
      const own = (hold = await holdKey(tx, seal.id, { keepers: keepers.all, room, lockTimeoutMs }));
      const fresh = await work(runtime.within(tx, (task) => void afterwards.push(task))).finally(() =>
        askForKey(tx, own),
      );
      const text = textToKeep(fresh, { fingerprint, requestId: request.id, rowsOf: acts.rowsOf });
      await keepAnswer(tx, seal.id, seal.close(text), keepers.own);
      return fresh;
    });
    for (const task of afterwards) task();
    return result;
  } catch (error) {
    if (hold?.state === "taken") throw new HeldByAnother();
    if (hold?.state === "answered") throw new AnsweredBefore();
    if (hold?.state === "full")
      throw quotaUsedUp(keptAnswersQuota, room ?? 0, await secondsUntilRoom(runtime.writer, keepers.all));
    throw error;
  }
}

/** The key has an answer already. */
class AnsweredBefore extends Error {
  constructor() {
    super("answered before");
  }
}

/** Another request holds the key, which answers for the first time or has found an answer. */
class HeldByAnother extends Error {
  constructor() {
    super("held by another request");
  }
}

/** Gives the answer that is kept under the key, `null` when there is none. */
function answerAgain({ request, idempotency, seal, acts }: Once): Promise<ExecutionResult | null> {
  const { runtime, caller } = request;
  const companyId = "companyId" in caller ? caller.companyId : null;
  return runtime.writer.$transaction(async (tx) => {
    const kept = await findAnswer(tx, seal.id, companyId);
    if (kept === null) return null;
    const found = assertSameRequest(seal.open(kept.answer), idempotency);
    idempotency.replayed = true;
    const isOutdated = kept.isOutdated && acts.mayHoldPersons();
    const rows = found.rows ?? (isOutdated ? rowsInstead(found.result, acts.rowsOf) : null);
    if (rows === null) return found.result ?? {};
    return acts.readAgain(
      runtime.within(tx, () => undefined),
      rows,
    );
  });
}

/** Runs the document. @throws Undone when it ends with errors, so that its transaction is undone. */
async function actOf(runtime: Runtime, { act }: Acts): Promise<ExecutionResult> {
  const { result, hasBegun } = await act(runtime);
  if (result.errors === undefined) return result;
  const errors = ownErrors(result.errors);
  throw new Undone({ data: null, errors }, hasBegun && errors.every(isFinal));
}

/** PostgreSQL refuses every statement of a transaction in which one has failed. */
const IN_FAILED_TRANSACTION = "25P02";

/** Returns the errors without those of operations that only came after a failed one, of which they say nothing. */
function ownErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const own = errors.filter((error) => sqlStateOf(rootCause(error)) !== IN_FAILED_TRANSACTION);
  return own.length > 0 ? own : errors;
}

/** The operation ended with errors, so its transaction has to be undone. */
class Undone extends Error {
  constructor(
    readonly result: ExecutionResult,
    /** Whether the refusal is kept. */
    readonly isKept: boolean,
  ) {
    super("refused");
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
  const text = rows === null ? whole : writeAnswer(fresh, { fingerprint, requestId, rows });
  if (text.length <= MAX_KEPT) return text;
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
  if (rows === null) throw answerGone("since it may have held what was erased");
  return rows;
}

function assertSameRequest(text: string | null, { fingerprint }: IdempotentRequest): KeptAnswer {
  if (text === null) throw new DomainError("CONFLICT", "The answer under this key cannot be read any more.");
  const answer = readAnswer(text);
  if (answer.fingerprint !== fingerprint)
    throw invalidField(IDEMPOTENCY_KEY, "reused", "was sent with another request before");
  return answer;
}
