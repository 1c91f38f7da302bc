import { Writable } from "node:stream";
import { pino } from "pino";
import { DomainError } from "../../src/core/errors/domain-error.js";
import { jobLogger } from "../../src/engine/worker/job-log.js";
import { logOptions } from "../../src/process/log.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

/** What an error of the log must not hold, since the statement got it from a caller. */
const SECRET = "a-hash-that-nobody-reads";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

function log() {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { logger: pino(logOptions("debug"), stream), text: () => text };
}

function logged(error: unknown) {
  const { logger, text } = log();
  logger.error({ err: error }, "unexpected error");
  const { err, msg } = JSON.parse(text()) as { err: Record<string, unknown>; msg: string };
  // The moment of the line may have any digits.
  return { text: JSON.stringify({ err, msg }), err };
}

const errorOf = (work: () => PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work()).then(
    () => undefined,
    (error: unknown) => error,
  );
const keyWith = (expiresAt: unknown) => ({
  companyId: company.id,
  name: "ERP",
  prefix: "cgk",
  keyHash: SECRET,
  roles: [],
  expiresAt: expiresAt as Date,
});

it("has what is wrong with the input of a statement, and not the input", async () => {
  const error = await errorOf(() => gateway.db.apiKey.create({ data: keyWith("2099-12-01") }));

  const { text, err } = logged(new Error("around it", { cause: error }));

  expect(text).not.toContain(SECRET);
  expect(text).not.toContain("2099");
  expect(err["message"]).toMatch(
    /^around it: Invalid `.*` invocation: Invalid value for argument `expiresAt`/u,
  );
  expect(err["stack"]).toMatch(/^Error\n +at [^]*\ncaused by: PrismaClientValidationError\n +at /u);
});

it.each<[string, () => PromiseLike<unknown>, string]>([
  [
    "a rule of a table",
    () =>
      gateway.database.pool.query(
        "INSERT INTO admin_type_roles (company_id, admin_type_id, role) VALUES ($1, 1, $2)",
        [company.id, SECRET],
      ),
    "23514",
  ],
  ["a value that is none", () => gateway.database.pool.query("SELECT $1::int", [SECRET]), "22P02"],
  ["a value that is none, by Prisma", () => gateway.db.$queryRaw`SELECT ${SECRET}::text::int`, "22P02"],
  [
    "a row that is there already, by Prisma",
    async () => {
      await gateway.db.apiKey.create({ data: keyWith(null) });
      await gateway.db
        .$executeRaw`INSERT INTO api_keys (company_id, name, prefix, key_hash) VALUES (${company.id}, 'x', 'x', ${SECRET})`;
    },
    "23505",
  ],
])("has no values of %s", async (_what, work, state) => {
  const error = await errorOf(work);

  const { text, err } = logged(error);

  expect(text).not.toContain(SECRET);
  expect(err).toMatchObject({
    state,
    message: expect.stringMatching(/\w/u),
    stack: expect.stringContaining("\n"),
  });
});

it("has the code and the causes of an error, and of many at once each", () => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED", address: "::1", secret: SECRET });

  const { err, text } = logged(
    new AggregateError([cause, new DomainError("CONFLICT", "Taken.", { cause })], "all"),
  );

  expect(text).not.toContain(SECRET);
  expect(err).toMatchObject({
    type: "AggregateError",
    message: "all",
    errors: [
      { type: "Error", message: "refused", code: "ECONNREFUSED" },
      { type: "DomainError", message: "Taken.: refused", code: "CONFLICT" },
    ],
  });
});

it("has what is no error as a text", () => {
  expect(logged("broken").err).toBe("broken");
});

it("has no input of a statement of a job", async () => {
  const error = await errorOf(() => gateway.db.apiKey.create({ data: keyWith("2099-12-01") }));
  const { logger, text } = log();

  const { message, stack } = error as Error;
  const said = `Failed task 7 (couponDue, 3.10ms, attempt 1 of 25) with error '${message}':\n  ${stack ?? ""}`;
  jobLogger(logger, () => false).error(said, { error });

  expect(text()).not.toContain(SECRET);
  expect(JSON.parse(text())).toMatchObject({ msg: "Failed task 7 (couponDue, 3.10ms, attempt 1 of 25)" });
});
