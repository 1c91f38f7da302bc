import { Metrics } from "../../src/engine/observability/metrics.js";
import { RequestTrace } from "../../src/engine/request/request-trace.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { addJob } from "../../src/core/jobs/jobs.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { observedApp, type ObservedApp } from "./observed-app.js";

let gateway: Gateway;
let acme: TestCompany;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  acme = await createCompany(gateway);
});
afterAll(() => gateway.close());

/** Returns the values by series, such as `gateway_requests_total{face="rest",…}`. */
async function scrape({ app }: Pick<ObservedApp, "app">): Promise<Map<string, number>> {
  const { statusCode, body, headers } = await app.inject({ method: "GET", url: "/metrics" });
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
  const series = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    series.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

async function run(observed: ObservedApp): Promise<void> {
  const { id } = await createGood(gateway, acme.id);
  const query = `query OneGood { good(companyId: ${acme.id}, id: ${id}) { id name } }`;
  const post = (payload: object) => observed.app.inject({ method: "POST", url: "/graphql", payload });
  await post({ query });
  await post({ query });
  await post({ query: query.replace(String(id), "2000000000") });
  await post({ query: "{ nothing }" });
  await observed.app.inject({ method: "GET", url: `/api/companies/${acme.id}/goods/${id}` });
  await observed.app.inject({ method: "GET", url: `/api/companies/${acme.id}/goods/2000000000` });
  await observed.app.inject({ method: "GET", url: "/api/no/such/path" });
}

describe("/metrics", () => {
  let observed: ObservedApp;
  let series: Map<string, number>;
  beforeAll(async () => {
    observed = await observedApp(gateway);
    await run(observed);
    series = await scrape(observed);
  });
  afterAll(() => observed.app.close());

  it("counts requests by face, operation, status and code", () => {
    const counted = [...series].filter(([name]) => name.startsWith("gateway_requests_total"));

    expect(Object.fromEntries(counted)).toEqual({
      'gateway_requests_total{face="graphql",operation="good",status="200",code="OK"}': 2,
      'gateway_requests_total{face="graphql",operation="good",status="200",code="NOT_FOUND"}': 1,
      'gateway_requests_total{face="graphql",operation="none",status="200",code="GRAPHQL_VALIDATION_FAILED"}': 1,
      'gateway_requests_total{face="rest",operation="ShowGood",status="200",code="OK"}': 1,
      'gateway_requests_total{face="rest",operation="ShowGood",status="404",code="NOT_FOUND"}': 1,
      'gateway_requests_total{face="rest",operation="none",status="404",code="NOT_FOUND"}': 1,
    });
    expect(series.get("gateway_faults_total")).toBe(0);
  });

  it("measures requests and their SQL by operation", () => {
    const labels = '{face="graphql",operation="good"}';
    const statements = series.get(`gateway_sql_statements_total${labels}`);

    expect(series.get(`gateway_request_duration_seconds_count${labels}`)).toBe(3);
    expect(series.get(`gateway_request_duration_seconds_sum${labels}`)).toBeGreaterThan(0);
    expect(statements).toBeGreaterThanOrEqual(3);
    expect(series.get(`gateway_sql_duration_seconds_count${labels}`)).toBe(statements);
    expect(series.get(`gateway_request_sql_statements_count${labels}`)).toBe(3);
    expect(series.get(`gateway_request_sql_statements_sum${labels}`)).toBe(statements);
  });

  it("shows the pool, the caches and the process", () => {
    expect(series.get('gateway_database_connections{state="idle"}')).toBeGreaterThan(0);
    expect(series.get('gateway_database_connections{state="busy"}')).toBe(0);
    expect(series.get("gateway_database_waiting")).toBe(0);
    expect(series.get('gateway_cache_entries{cache="operations"}')).toBe(2);
    expect(series.get('gateway_cache_entries{cache="companies"}')).toBe(1);
    expect(series.get('gateway_cache_entries{cache="roles"}')).toBe(0);
    expect(series.get("process_resident_memory_bytes")).toBeGreaterThan(0);
  });

  it("shows how many statements have a name", async () => {
    const unprepared = await createDatabase({ url: gateway.url, prepared: false, poolSize: 2 });
    const elsewhere = await observedApp({ ...gateway, database: unprepared });
    await run(elsewhere);

    const named = (await scrape(observed)).get("gateway_statement_names");

    expect(named).toBe(gateway.database.statementNames());
    expect(named).toBeGreaterThan(0);
    expect((await scrape(elsewhere)).get("gateway_statement_names")).toBe(0);
    await elsewhere.app.close();
    await unprepared.close();
  });

  it("counts the jobs of all processes by task and state", async () => {
    const runAt = new Date(Date.now() + 60_000);
    await addJob(gateway, "couponDue", { companyId: acme.id, couponId: 1 });
    await addJob(gateway, "couponDue", { companyId: acme.id, couponId: 2 });
    await gateway.db
      .$executeRaw`UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '1 minute'`;
    await addJob(gateway, "couponDue", { companyId: acme.id, couponId: 1 }, { runAt });

    const jobs = await scrape(observed);

    const counted = ["scheduled", "waiting", "running", "failed"].map((state) =>
      jobs.get(`gateway_jobs{task="couponDue",state="${state}"}`),
    );
    expect(counted).toEqual([1, 2, 0, 0]);
    expect(jobs.get('gateway_job_wait_seconds{task="couponDue"}')).toBeGreaterThanOrEqual(60);
  });

  it("is no part of the public interface", async () => {
    const { statusCode } = await observed.app.inject({ method: "GET", url: "/api/metrics" });

    expect(statusCode).toBe(404);
  });
});

it("counts faults whatever the operation, from 0 on", async () => {
  const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const metrics = new Metrics({ pool, statementNames: () => 0, replicas: () => [], caches: {} }, "");
  const trace = new RequestTrace("rest", null, undefined, () => metrics.fault());

  metrics.request(trace, 404, 1);
  trace.code = "INTERNAL_SERVER_ERROR";
  trace.fault();
  metrics.request(trace, 500, 1);

  expect(await metrics.registry.getSingleMetricAsString("gateway_faults_total")).toContain(
    "\ngateway_faults_total 1",
  );
});

it("counts statements without telling requests apart when METRICS=basic", async () => {
  const observed = await observedApp(gateway, { METRICS: "basic" });
  await run(observed);
  const series = await scrape(observed);
  await observed.app.close();

  expect(series.get('gateway_sql_statements_total{face="none",operation="none"}')).toBeGreaterThan(0);
  expect([...series.keys()].filter((name) => name.startsWith("gateway_request_sql_statements_"))).toEqual([]);
  expect(series.get('gateway_request_duration_seconds_count{face="rest",operation="ShowGood"}')).toBe(2);
});

it("is not there when METRICS=off", async () => {
  const observed = await observedApp(gateway, { METRICS: "off" });
  const { statusCode } = await observed.app.inject({ method: "GET", url: "/metrics" });
  await observed.app.close();

  expect(statusCode).toBe(404);
});

it("lets no caller choose a label: operations are named by their root field, several by one name", async () => {
  const observed = await observedApp(gateway);
  const post = (query: string) =>
    observed.app.inject({ method: "POST", url: "/graphql", payload: { query } });
  await post(`query ChosenByCaller { chosen: goods(companyId: ${acme.id}) { totalCount } }`);
  await post(`{ ...F } fragment F on Query { goods(companyId: ${acme.id}) { totalCount } me { id } }`);
  const series = await scrape(observed);
  await observed.app.close();

  const operations = [...series.keys()]
    .filter((name) => name.startsWith("gateway_requests_total"))
    .map((name) => /operation="([^"]*)"/u.exec(name)?.[1]);
  expect(operations.sort()).toEqual(["goods", "several"]);
});

it("shows what the service was built from", async () => {
  const observed = await observedApp(gateway, { BUILD_REVISION: "4f1c2d" });
  const series = await scrape(observed);
  await observed.app.close();

  const name = [...series.keys()].find((one) => one.startsWith("gateway_build_info"));
  expect(name).toMatch(
    /^gateway_build_info\{version="\d+\.\d+\.\d+",revision="4f1c2d",node="v\d+\.\d+\.\d+"\}$/u,
  );
  expect(series.get(name as string)).toBe(1);
});
