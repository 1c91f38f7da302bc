import { Prisma } from "../../generated/prisma/client.js";
import { sqlStateOf } from "../errors/database-error.js";
import { rootCause } from "../errors/present.js";

/** An error as the log has it. */
export interface LoggedError {
  readonly type: string;
  /** What went wrong, with its causes. */
  readonly message: string;
  /** Where, with its causes. */
  readonly stack: string;
  readonly code: unknown;
  /** PostgreSQL's code of what the database refused. */
  readonly state: string | undefined;
  readonly constraint: unknown;
  /** The errors that it stands for. */
  readonly errors: readonly unknown[] | undefined;
}

/**
 * Returns what the log has of an error: what went wrong and where, without the values that a statement was given. Prisma quotes its
 * whole input, PostgreSQL the row or the value that it refuses, so all but some properties stay out.
 */
export function loggedError(thrown: unknown): LoggedError | string {
  const error = rootCause(thrown);
  if (!(error instanceof Error)) return String(error);
  const chain = withCauses(error);
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.constructor.name,
    message: chain.map(messageWithoutValues).join(": "),
    stack: chain.map(whereOf).join("\ncaused by: "),
    code,
    state: chain.map(sqlStateOf).find((state) => state !== undefined),
    constraint,
    errors: error instanceof AggregateError ? error.errors.map(loggedError) : undefined,
  };
}

/** An error and its causes, each once. */
function withCauses(error: Error): Error[] {
  const chain = new Set<Error>();
  for (let one: unknown = error; one instanceof Error && !chain.has(one); one = one.cause) chain.add(one);
  return [...chain];
}

/** What PostgreSQL says of a value that does not fit quotes it: `invalid input syntax for type integer: "x"`. */
const OF_VALUES = "22";
/** What is there already, where Prisma tells it of a statement that was written by hand: `Key (email)=(x) already exists.` */
const KEY_VALUES = /=\(.*\)/su;

function messageWithoutValues(error: Error): string {
  const { message } = error;
  if (error instanceof Prisma.PrismaClientValidationError) {
    // The input stands between the first line and the last paragraph.
    const paragraphs = message.trim().split("\n\n");
    return [paragraphs[0]?.split("\n", 1)[0], paragraphs.at(-1)].join(" ");
  }
  const state = sqlStateOf(error);
  if (state === undefined) return message;
  const plain = message.replace(KEY_VALUES, "=(…)");
  return state.startsWith(OF_VALUES) ? plain.replace(/".*"/su, '"…"') : plain;
}

/** The frames of an error below its name: the first lines of its stack are its message. */
function whereOf({ name, stack = "" }: Error): string {
  return [name, ...stack.split("\n").filter((line) => /^\s+at /u.test(line))].join("\n");
}
