import pg from "pg";
import { Prisma } from "../../generated/prisma/client.js";
import {
  DomainError,
  forbidden,
  unavailable,
  validationFailed,
  type FieldError,
} from "../../core/errors/domain-error.js";
import { camelCaseOf } from "../../core/names.js";
import { isUnavailable } from "./unavailable.js";

export interface AdapterCause {
  kind?: string;
  originalCode?: string;
  originalMessage?: string;
  table?: string;
  constraint?: { fields?: string[]; index?: string };
}

/** Turns an error of the database into a refusal, `undefined` when the caller can do nothing about the error. */
export function fromDatabaseError(error: unknown): DomainError | undefined {
  const cause = adapterCause(error);
  const code = error instanceof Prisma.PrismaClientKnownRequestError ? error.code : undefined;
  if (code === "P2002" || cause?.originalCode === "23505") return uniqueViolation(cause);
  if (code === "P2003" || cause?.originalCode === "23503") return foreignKeyViolation(cause);
  if (hasCollided(error)) {
    return new DomainError("CONFLICT", "Another change got in the way; try again.", { cause: error });
  }
  if (cause?.originalCode === TRAIL_IS_FULL) return trailIsFull();
  if ((cause?.originalCode ?? "").startsWith(KEY_IS_REFUSED))
    return new DomainError("CONFLICT", "The Idempotency-Key is not free.", { cause: error });
  if (cause?.originalCode === BEYOND_BOUNDS) return new DomainError("NOT_FOUND", "A row does not exist.");
  if (cause?.originalCode === READ_ALONE)
    return forbidden("Rows of the whole company are only read by admins who are bound to shops or branches.");
  if (isBroken(error))
    return unavailable("The database cannot store anything at present; try again later.", { cause: error });
  if (isUnavailable(error)) {
    return unavailable("The database is not reachable or overloaded; try again.", { cause: error });
  }
  return undefined;
}

/** What `within_bounds` raises. */
const BEYOND_BOUNDS = "SB404";
const READ_ALONE = "SB403";

/** What `hold_key` raises; who asked for the key says it to the caller in other words. */
const KEY_IS_REFUSED = "UK00";

/** What `charge_audit_bytes` raises. */
const TRAIL_IS_FULL = "UQ001";
/** Entries end by age, so room comes slowly. */
const TRAIL_RETRY_SECONDS = 3_600;

const NO_ROOM: FieldError = {
  field: "trail",
  rule: "quota",
  message: "has no room for entries longer than 4 KB",
};

function trailIsFull(): DomainError {
  return new DomainError("RATE_LIMITED", "The quota trail of the company is used up.", {
    errors: [NO_ROOM],
    retryAfterSeconds: TRAIL_RETRY_SECONDS,
  });
}

/**
 * States in which a replica breaks off a read that the primary does: replaying gets in its way (40001, 40P01), or it only
 * reads (25006).
 */
const REFUSED_BY_REPLICA: ReadonlySet<string> = new Set(["40001", "40P01", "25006"]);
const OUT_OF_TIME = "57014";

/**
 * Returns why the primary may do a read that a replica has not done: the replica broke off this one, or it is `away`; `null`
 * when the primary would do no better.
 */
export function refusalOfReplica(error: unknown): "this" | "away" | null {
  const code = sqlStateOf(error) ?? "";
  if (REFUSED_BY_REPLICA.has(code)) return "this";
  return code !== OUT_OF_TIME && isUnavailable(error) ? "away" : null;
}

/** Values that do not fit, checks and keys that are not kept, and what a trigger raises. */
const REFUSALS = /^(?:22|23|44|P0)/u;

/**
 * Returns what is wrong with what the database refuses to write, and would refuse again: nothing where it does not say so in words
 * for callers. `null` for other errors.
 */
export function refusalOf(error: unknown): readonly FieldError[] | null {
  const state = sqlStateOf(error) ?? "";
  if (state === TRAIL_IS_FULL) return [NO_ROOM];
  return REFUSALS.test(state) ? [] : null;
}

/** A disk without room, memory that ran out, a limit of the server's configuration, and errors of the disk. */
const BROKEN = /^(?:53[124]00|58030)$/u;

/** Returns whether the database misses what it needs to work, which whoever runs it has to give it. */
export function isBroken(error: unknown): boolean {
  return BROKEN.test(sqlStateOf(error) ?? "");
}

/** Returns whether a transaction gave way to another one: they waited for each other in a circle, or have changed the same row. */
export function hasCollided(error: unknown): boolean {
  const isOfPrisma = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2034";
  return isOfPrisma || ["40001", "40P01"].includes(sqlStateOf(error) ?? "");
}

/** Returns PostgreSQL's code of an error, whether it comes from the driver or by Prisma; `undefined` where it has none. */
export function sqlStateOf(error: unknown): string | undefined {
  return adapterCause(error)?.originalCode;
}

function uniqueViolation(cause: AdapterCause | undefined): DomainError {
  const fields = cause === undefined ? [] : uniqueFields(cause);
  const errors: FieldError[] = fields.map((field) => ({
    field,
    rule: "unique",
    message: "is already taken",
  }));
  return errors.length > 0
    ? validationFailed(errors)
    : new DomainError("CONFLICT", "The value is already taken.");
}

/** How PostgreSQL begins to say, in English, that a row would refer to one that is not there. */
const REFERS_TO_NONE = "insert or update on table ";
/** How it names the table whose rows refer to one that was to go; a worker of a distributed database numbers its parts. */
const REFERRING = /foreign key constraint "[^"]+" on table "(?<table>\w+?)(?:_\d{6,})?"/u;

function foreignKeyViolation(cause: AdapterCause | undefined): DomainError {
  return new DomainError("CONFLICT", brokenReference(cause?.originalMessage ?? ""), { cause });
}

function brokenReference(said: string): string {
  if (said.startsWith(REFERS_TO_NONE)) return "What it refers to is gone.";
  const table = REFERRING.exec(said)?.groups?.["table"];
  if (table === undefined) return "Other records refer to it, or what it refers to is gone.";
  return `It is referred to by other records, which are ${table.replaceAll("_", " ")}.`;
}

/**
 * Returns the fields of a unique index by its name `<table>_company_id_<columns>_key`; none when the name was cut
 * short. A worker of a distributed database does not name the table.
 */
function uniqueFields({ table, constraint }: AdapterCause): string[] {
  const beginning = table === undefined ? "\\w+?_company_id_" : `${table}_(?:company_id_)?`;
  const columns = new RegExp(`^${beginning}(?<columns>\\w+)_key$`, "u").exec(constraint?.index ?? "");
  return (columns?.groups?.["columns"] ?? "")
    .split(/(?<=_id)_/u)
    .filter((column) => column !== "")
    .map(camelCaseOf);
}

function adapterCause(error: unknown): AdapterCause | undefined {
  if (error instanceof pg.DatabaseError) return causeOf(error);
  const meta = error instanceof Prisma.PrismaClientKnownRequestError ? error.meta : undefined;
  const fromMeta = (meta?.["driverAdapterError"] as { cause?: AdapterCause } | undefined)?.cause;
  if (fromMeta !== undefined) return fromMeta;
  return error instanceof Error && typeof error.cause === "object"
    ? (error.cause as AdapterCause)
    : undefined;
}

/**
 * Gives an error of PostgreSQL, from a statement that goes past Prisma, the shape that Prisma's adapter uses. A worker of a distributed
 * database names an index in its message alone, with the number of the part of the table behind it.
 */
export function causeOf({ code, table, constraint, message }: pg.DatabaseError): AdapterCause {
  const index = constraint ?? /unique constraint "(?<index>\w+)_\d{6,}"/u.exec(message)?.groups?.["index"];
  return {
    ...(code !== undefined && { originalCode: code }),
    originalMessage: message,
    ...(table !== undefined && { table }),
    ...(index !== undefined && { constraint: { index } }),
  };
}
