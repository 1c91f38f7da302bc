import pg from "pg";
import { CommandError, describeFailure } from "../../src/cli/command.js";
import { NoSigningKeyError } from "../../src/core/access/tokens.js";
import { EmbeddedPostgresError } from "../../src/engine/embedded-postgres/embedded-error.js";

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });
const FILE = 'could not extend file "base/5/1": No space left on device';

describe("a failure at the start", () => {
  it.each([
    [
      "a full disk",
      coded("ENOSPC: no space left on device, write", "ENOSPC"),
      /^The disk is full: ENOSPC: [^\n]*$/u,
    ],
    ["a quota", coded("EDQUOT: disk quota exceeded, open", "EDQUOT"), /^The disk is full: EDQUOT: [^\n]*$/u],
    [
      "PostgreSQL's full disk",
      Object.assign(new pg.DatabaseError(FILE, 1, "error"), { code: "53100" }),
      `The disk is full: ${FILE}`,
    ],
    ["Prisma's words for it", new Error(`\nInvalid invocation:\n\n\n${FILE}`), `The disk is full: ${FILE}`],
    [
      "initdb's words for it",
      new EmbeddedPostgresError(`initdb failed: FATAL:  ${FILE}\nAborted`),
      `The disk is full: initdb failed: FATAL:  ${FILE}`,
    ],
    [
      "its cause",
      new Error("starting failed", { cause: coded(FILE, "ENOSPC") }),
      "The disk is full: starting failed",
    ],
    [
      "a database that went away",
      new Error("Connection terminated unexpectedly"),
      "The database does not answer: Connection terminated unexpectedly",
    ],
    [
      "a statement that took too long",
      Object.assign(new pg.DatabaseError("canceling statement due to statement timeout", 1, "error"), {
        code: "57014",
      }),
      "A statement took longer than its limit, or was canceled: canceling statement due to statement timeout",
    ],
    [
      "a server that only reads",
      Object.assign(new pg.DatabaseError("cannot execute INSERT in a read-only transaction", 1, "error"), {
        code: "25006",
      }),
      "The database cannot be used: cannot execute INSERT in a read-only transaction",
    ],
    [
      "rights that the role lacks",
      Object.assign(new pg.DatabaseError("permission denied for table balance_holders", 1, "error"), {
        code: "42501",
      }),
      "The role lacks rights in the database (permission denied for table balance_holders): run this as the owner of the tables, " +
        "or give the role its rights by npm run db:migrate -- --service-role NAME.",
    ],
    ["no key that signs", new NoSigningKeyError("JWT_SECRET is not set"), "JWT_SECRET is not set"],
    ["a wrong call", new CommandError("Name an e-mail."), "Name an e-mail."],
  ])("is described in one line: %s", (_name, error, told) => {
    if (typeof told === "string") expect(describeFailure(error)).toBe(told);
    else expect(describeFailure(error)).toMatch(told);
  });

  it("is described with its stack when it is a fault of the program", () => {
    expect(describeFailure(new TypeError("x is not a function"))).toMatch(/^TypeError: [^\n]*\n\s+at /u);
  });
});
