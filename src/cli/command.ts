import { readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { isId } from "../core/integers.js";
import { OperatorError } from "../core/errors/operator-error.js";
import { loadConfig, type Config } from "../process/config/config.js";
import { sqlStateOf } from "../engine/errors/database-error.js";
import { isUnavailable } from "../engine/errors/unavailable.js";

/** A command was called wrongly or cannot do its work. */
export class CommandError extends OperatorError {
  override readonly name = "CommandError";
}

/** A command was called wrongly: what is wrong, and how it is called. */
export function wrongUse(problem: string, usage: string): CommandError {
  return new CommandError(`${problem}\n${usage}`);
}

/** Reads the arguments of a command. @throws CommandError for options that it does not have. */
export function readArgs<T extends ParseArgsConfig>(config: T, usage: string) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw wrongUse((error as Error).message, usage);
  }
}

/** Reads the id that an argument of this name has. @throws CommandError when it is none. */
export function readId(name: string, text: string, usage: string): number {
  const id = Number(text);
  if (!/^[1-9]\d{0,9}$/u.test(text) || !isId(id))
    throw wrongUse(`${name} has to be an id, ${JSON.stringify(text)} is none.`, usage);
  return id;
}

/** Reads a file that an option names. @throws CommandError when it is not there, or the system refuses it. */
export function fromFile(file: string): Promise<Buffer> {
  return withFile(() => readFile(file), `There is no file ${file}.`);
}

/** Writes a file that an option names. @throws CommandError when its folder is not there, or the system refuses it. */
export function toFile(file: string, text: string): Promise<void> {
  return withFile(() => writeFile(file, text), `There is no folder ${dirname(file)}.`);
}

async function withFile<T>(work: () => Promise<T>, missing: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new CommandError(missing);
    const isOfSystem = error instanceof Error && "syscall" in error && !isDiskFull(error);
    throw isOfSystem ? new CommandError(error.message) : error;
  }
}

/** Runs a command of the shell. An error goes to standard error, and the exit code is then 1. */
export async function runCommand(command: (config: Config, args: string[]) => Promise<void>): Promise<void> {
  try {
    await command(loadConfig(process.env), process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** Returns one clear line for a failure that an operator can correct, and the stack for a fault of the program. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isDiskFull(error)) return `The disk is full: ${lineAboutDisk(error.message)}`;
  if (error instanceof OperatorError) return error.message;
  if (hasCode(error, REFUSED)) return `The database cannot be used: ${lastLine(error.message)}`;
  if (hasCode(error, UNPREPARED))
    return `The database is not that of this release, see npm run db:migrate -- --plan: ${lastLine(error.message)}`;
  if (hasCode(error, LACKING))
    return (
      `The role lacks rights in the database (${lastLine(error.message)}): run this as the owner of the tables, or give the ` +
      "role its rights by npm run db:migrate -- --service-role NAME."
    );
  if (hasCode(error, OUT_OF_TIME))
    return `A statement took longer than its limit, or was canceled: ${lastLine(error.message)}`;
  if (isUnavailable(error)) return `The database does not answer: ${error.message.trim()}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EROFS") return `Not permitted: ${error.message}`;
  return error.stack ?? error.message;
}

/** PostgreSQL takes no session, since the database does not exist (3D000) or the role may not log in (28), or no writes (25006). */
const REFUSED = /^(?:3D000|28\w{3}|25006)$/u;
/** A table (42P01), a column (42703) or a function (42883) is not there: no migration has made it, or it is not the service's database. */
const UNPREPARED = /^(?:42P01|42703|42883)$/u;
/** The role may not do that: it was not given all rights, or does what only the owner may, such as to load demo data. */
const LACKING = /^42501$/u;
/** PostgreSQL has ended a statement, most often by `statement_timeout`. */
const OUT_OF_TIME = /^57014$/u;

/** Whether an error, or what it was caused by, has such a code of the system or of PostgreSQL. */
function hasCode(error: Error, codes: RegExp): boolean {
  const { code, originalCode } = error as { code?: unknown; originalCode?: unknown };
  if ([code, originalCode, sqlStateOf(error)].some((one) => typeof one === "string" && codes.test(one)))
    return true;
  return error.cause instanceof Error && hasCode(error.cause, codes);
}

const lastLine = (message: string): string => message.trim().split("\n").at(-1) ?? "";

/** How a full disk or a used-up quota shows: by the code of the system or of PostgreSQL, or by the system's own words. */
const FULL_DISK = /^(?:ENOSPC|EDQUOT|53100)$/u;
const FULL_DISK_TEXT = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/iu;

/** Whether an error, or what it was caused by, says that there is no room on the disk. */
function isDiskFull(error: Error): boolean {
  if (hasCode(error, FULL_DISK) || FULL_DISK_TEXT.test(error.message)) return true;
  return error.cause instanceof Error && isDiskFull(error.cause);
}

/** The line that names the file, of a message that may have many. */
function lineAboutDisk(message: string): string {
  return message.split("\n").find((line) => FULL_DISK_TEXT.test(line)) ?? message.trim();
}
