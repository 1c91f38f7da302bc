import pg from "pg";
import { GOOD_BODY } from "../goods/examples.js";
import { observedApp, type LogLine } from "../operations/observed-app.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { lockWaits, untilLockWaits } from "../support/lock-waits.js";

const TIMEOUT_MS = 1500;

describe("the deadline of a request", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let blocker: pg.Client;

  beforeAll(async () => {
    gateway = await startGateway({ environment: { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) } });
    company = await createCompany(gateway);
    // The process reads the company before the lock, so that only the tested request waits.
    await company.owner.rest("GET", `/companies/${company.id}/goods`);
    blocker = new pg.Client({ connectionString: gateway.url });
    await blocker.connect();
  });
  beforeEach(() => blocker.query("BEGIN; LOCK TABLE goods IN ACCESS EXCLUSIVE MODE"));
  afterEach(() => blocker.query("ROLLBACK"));
  afterAll(async () => {
    await blocker.end();
    await gateway.close();
  });

  it("answers REST with 503, and the database stops working on it", async () => {
    const answering = company.owner.rest("GET", `/companies/${company.id}/goods`);
    await untilLockWaits(gateway.url);

    const answer = await answering;

    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ status: 503, code: "UNAVAILABLE" });
    expect(answer.headers["retry-after"]).toBe("1");
    await untilNothingWaits();
  });

  it("answers GraphQL with the same code, and the database stops working on it", async () => {
    const answering = graphql(`{ goods(companyId: ${company.id}) { nodes { id } } }`);
    await untilLockWaits(gateway.url);

    const answer = await answering;

    expect(answer.json().errors[0].extensions).toMatchObject({
      code: "UNAVAILABLE",
      status: 503,
      retryAfter: 1,
    });
    expect(answer.headers["retry-after"]).toBe("1");
    await untilNothingWaits();
  });

  it("leaves nothing of a change behind", async () => {
    const answer = await company.owner.rest("POST", `/companies/${company.id}/goods`, {
      body: GOOD_BODY,
    });

    expect([answer.status, answer.body.code]).toEqual([503, "UNAVAILABLE"]);
    await untilNothingWaits();
    await blocker.query("ROLLBACK");
    expect(await gateway.db.good.count({ where: { companyId: company.id } })).toBe(0);
  });

  it("is no fault: the log tells the request and nothing of its statement", async () => {
    const observed = await observedApp(gateway, { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) });
    const headers = { authorization: `Bearer ${company.owner.token}` };
    const change = (payload: object) =>
      observed.app.inject({
        method: "POST",
        url: `/api/companies/${company.id}/goods`,
        headers,
        payload,
      });

    const late = await change(GOOD_BODY);
    await untilNothingWaits();
    await blocker.query("ROLLBACK");
    const next = await change(GOOD_BODY);
    await observed.app.close();

    const lines = observed.log().trimEnd().split("\n");
    expect([late.statusCode, next.statusCode]).toEqual([503, 201]);
    expect(
      lines.map((line) => (JSON.parse(line) as LogLine)["level"]).filter((level) => level === 50),
    ).toEqual([]);
    expect(observed.requests().map(({ status, code }) => [status, code])).toEqual([
      [503, "UNAVAILABLE"],
      [201, undefined],
    ]);
  });

  const graphql = (query: string) =>
    gateway.app.inject({
      method: "POST",
      url: "/graphql",
      headers: { authorization: `Bearer ${company.owner.token}` },
      payload: { query },
    });

  const waiting = async (): Promise<number> => (await lockWaits(gateway.url)).length;

  async function untilNothingWaits(): Promise<void> {
    const end = Date.now() + 5 * TIMEOUT_MS;
    while ((await waiting()) > 0 && Date.now() < end) await pause();
    expect(await waiting()).toBe(0);
  }
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
