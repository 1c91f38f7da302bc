import pg from "pg";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

describe("back-pressure", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway({ environment: { REQUEST_TIMEOUT_MS: "4000" } });
    company = await createCompany(gateway);
    path = `/companies/${company.id}/goods`;
  });
  afterAll(() => gateway.close());

  /** Asks until the service answers with this status, since pressure is only sampled now and then. */
  async function untilStatus(status: number): Promise<void> {
    while ((await gateway.app.inject({ url: `/api${path}` })).statusCode !== status) await pause();
  }

  it("refuses on both faces while the process is overloaded, and says when to come again", async () => {
    const { app } = gateway;
    const measured = app.isUnderPressure;
    app.isUnderPressure = () => true;
    await untilStatus(503);
    gateway.statements.length = 0;

    const rest = await gateway.anonymous.rest("GET", path);
    const graphql = await app.inject({
      method: "POST",
      url: "/graphql",
      payload: { query: "{ __typename }" },
    });
    const alive = await app.inject({ url: "/healthz" });
    app.isUnderPressure = measured;

    expect([rest.status, rest.body.code, rest.headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "1"]);
    expect(rest.headers["content-type"]).toMatch(/^application\/problem\+json/u);
    expect([graphql.statusCode, graphql.headers["retry-after"]]).toEqual([503, "1"]);
    expect(graphql.json().errors[0].extensions).toEqual({ code: "UNAVAILABLE", status: 503, retryAfter: 1 });
    expect(alive.statusCode).toBe(200);
    expect(gateway.statements).toEqual([]);
    await untilStatus(200);
  });

  it("lets a single long task pass, such as the start", async () => {
    const { app } = gateway;
    const measured = app.isUnderPressure;
    const once = [true];
    app.isUnderPressure = () => once.pop() ?? false;
    while (once.length > 0) await pause();

    const { status } = await gateway.anonymous.rest("GET", path);
    app.isUnderPressure = measured;

    expect(status).toBe(200);
  });

  it("refuses at once when too many statements wait for a connection", async () => {
    const { pool } = gateway.database;
    Object.defineProperty(pool, "waitingCount", { value: 10_000, configurable: true });

    const { status, body } = await gateway.anonymous.rest("GET", path);
    Reflect.deleteProperty(pool, "waitingCount");

    expect([status, body.code]).toEqual([503, "UNAVAILABLE"]);
    expect((await gateway.anonymous.rest("GET", path)).status).toBe(200);
  });

  it("answers 503, not later than a connection is waited for, when none comes free", async () => {
    const { pool } = gateway.database;
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));

    const rest = gateway.anonymous.rest("GET", path);
    const graphql = gateway.anonymous.run(`{ goods(companyId: ${company.id}) { totalCount } }`);
    const [{ status, body, headers }, { errors }] = await Promise.all([rest, graphql]);
    taken.forEach((client) => client.release());

    expect([status, body.code, headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "1"]);
    expect(errors?.[0]?.extensions).toMatchObject({ code: "UNAVAILABLE", status: 503, retryAfter: 1 });
    expect((await gateway.anonymous.rest("GET", path)).status).toBe(200);
  });
});

describe("a process that works on too many requests", () => {
  const POOL = 2;
  const MOST = 8 * POOL;
  let gateway: Gateway;
  let company: TestCompany;
  let blocker: pg.Client;

  beforeAll(async () => {
    // The first request of a burst may wait for half a second with this.
    const environment = { DATABASE_POOL_SIZE: String(POOL), REQUEST_TIMEOUT_MS: "10000" };
    gateway = await startGateway({ environment });
    company = await createCompany(gateway);
    await company.owner.rest("GET", `/companies/${company.id}/goods`);
    blocker = new pg.Client({ connectionString: gateway.url });
    await blocker.connect();
  });
  /** The clock by which a burst is over; it stands still, however long a busy machine takes. */
  let clock: jest.SpyInstance<number, []>;
  beforeEach(async () => {
    await blocker.query("BEGIN; LOCK TABLE goods IN ACCESS EXCLUSIVE MODE");
    clock = jest.spyOn(performance, "now").mockReturnValue(performance.now());
  });
  afterEach(() => clock.mockRestore());
  afterAll(async () => {
    await blocker.end();
    await gateway.close();
  });

  const ask = async () => (await gateway.anonymous.rest("GET", `/companies/${company.id}/goods`)).status;
  const askOften = (times: number) => Array.from({ length: times }, ask);

  it("refuses more of them at once, and serves again when they are answered", async () => {
    const taken = askOften(MOST);
    await sleep(50);
    const burst = [ask()];
    await sleep(50);
    clock.mockReturnValue(performance.now() + 700);

    const refused = await Promise.all(askOften(50));
    const alive = await gateway.app.inject({ url: "/healthz" }).then(({ statusCode }) => statusCode);
    await blocker.query("ROLLBACK");

    expect(new Set(refused)).toEqual(new Set([503]));
    expect(alive).toBe(200);
    // Nobody who came before was refused, so the others did not wait for the end of the time that they have.
    expect(new Set(await Promise.all([...taken, ...burst]))).toEqual(new Set([200]));
    expect(await ask()).toBe(200);
  });

  it("serves a burst that is soon over", async () => {
    const burst = askOften(6 * MOST);
    await sleep(100);
    await blocker.query("ROLLBACK");

    expect(new Set(await Promise.all(burst))).toEqual(new Set([200]));
  });
});

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
