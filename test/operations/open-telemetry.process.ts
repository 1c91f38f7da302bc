import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createGood, goodPath } from "../goods/good-pictures.js";
import { createGeneratingCoupon } from "../support/coupons.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, TEST_SECRET, TEST_SECRETS_KEY, type Gateway } from "../support/gateway.js";
import { until } from "../support/replica.js";
import { makeDataDirectory, cleanUp, startService, type ServiceProcess } from "../support/service-process.js";
import { startReceiver, type Receiver } from "../webhooks/receiver.js";
import { asking, webhookOf } from "../webhooks/webhooks.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLERS_SPAN = "00f067aa0ba902b7";
/** The number of a client's span in OTLP. */
const CLIENT = 3;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: { key: string; value: Record<string, unknown> }[];
}

/** A collector that keeps the spans that it is sent, and what sends them. */
async function startCollector() {
  const spans: Span[] = [];
  const services = new Set<unknown>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
      for (const { resource, scopeSpans } of resourceSpans) {
        services.add(
          resource.attributes.find(({ key }: { key: string }) => key === "service.name").value.stringValue,
        );
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url, spans, services, close };
}

describe("OpenTelemetry, where its variables switch it on", () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let receiver: Receiver;
  let gateway: Gateway;
  let company: TestCompany;
  let service: ServiceProcess;
  let base: string;
  beforeAll(async () => {
    collector = await startCollector();
    receiver = await startReceiver();
    gateway = await startGateway({ own: "database", environment: { FETCH_ALLOW: receiver.host } });
    company = await createCompany(gateway);
    service = startService({
      DATABASE_URL: gateway.url,
      DATA_DIR: await makeDataDirectory(),
      JWT_SECRET: TEST_SECRET,
      SECRETS_KEY: TEST_SECRETS_KEY,
      FETCH_ALLOW: receiver.host,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "100",
    });
    base = await service.ready;
  });
  afterAll(async () => {
    await cleanUp();
    await gateway.close();
    await receiver.close();
    await collector.close();
  });

  const spanNamed = (name: string): Span | undefined => collector.spans.find((span) => span.name === name);
  const below = ({ spanId }: Span): Span[] =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

  it("is told of operation, statements and the delivery about the change, below the caller's span", async () => {
    const { id } = await createGood(gateway, company.id);
    webhookOf(
      await asking(() => company).create({ url: receiver.url, types: ["Good"], actions: ["updated"] }),
    );

    const answer = await fetch(`${base}/api${goodPath(company.id, id)}`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${company.owner.token}`,
        "content-type": "application/json",
        traceparent: `00-${TRACE}-${CALLERS_SPAN}-01`,
      },
      body: JSON.stringify({ name: "Traced" }),
    });
    await until(() => spanNamed("UpdateGood") !== undefined && spanNamed("webhook") !== undefined);

    const operation = spanNamed("UpdateGood") as Span;
    expect(answer.status).toBe(200);
    expect(operation).toMatchObject({ traceId: TRACE, parentSpanId: CALLERS_SPAN });
    expect(answer.headers.get("traceparent")).toBe(`00-${TRACE}-${operation.spanId}-01`);
    const statements = below(operation).filter(({ kind }) => kind === CLIENT);
    expect(statements.map(({ name }) => name)).toContain("UPDATE");
    expect(JSON.stringify(statements)).not.toContain("Traced");
    const delivery = spanNamed("webhook") as Span;
    expect(delivery).toMatchObject({ traceId: TRACE, kind: CLIENT });
    expect(receiver.received.map(({ headers }) => headers["traceparent"])).toEqual([
      `00-${TRACE}-${delivery.spanId}-01`,
    ]);
    expect([...collector.services]).toEqual(["commerce-gateway"]);
  });

  it("is told the id of a request that the service has made, and none that a caller has sent", async () => {
    const read = (headers: Record<string, string>) =>
      fetch(`${base}/api/companies/${company.id}/goods`, { headers });
    const own = (await read({})).headers.get("x-request-id");
    const callers = (await read({ "x-request-id": "ana.soto-example" })).headers.get("x-request-id");
    const requests = () => collector.spans.filter(({ name }) => name === "ListGoods");
    await until(() => requests().length >= 2);

    const ids = requests().map(
      ({ attributes }) => attributes.find(({ key }) => key === "gateway.request_id")?.value.stringValue,
    );
    expect(callers).toBe("ana.soto-example");
    expect(new Set(ids)).toEqual(new Set([own, undefined]));
    expect(JSON.stringify(collector.spans)).not.toContain("ana.soto");
  });

  it("is told of a job and its statements, as a trace of its own", async () => {
    const coupon = await createGeneratingCoupon(gateway, company.id, { totalCount: 10 });
    await until(() => spanNamed("generateCouponCodes") !== undefined);

    const job = spanNamed("generateCouponCodes") as Span;
    expect(coupon.id).toBeGreaterThan(0);
    expect(job.parentSpanId ?? "").toBe("");
    const statements = below(job).map(({ name }) => name);
    expect(statements).toEqual(expect.arrayContaining(["WITH", "UPDATE", "COMMIT"]));
  });

  it("is not waited for when it is away, and the end of the process is as always", async () => {
    await collector.close();

    const { status } = await fetch(`${base}/api/companies/${company.id}/goods`);
    service.kill("SIGTERM");

    expect(status).toBe(200);
    expect(await service.exited).toBe(0);
  });
});

it("is not loaded where they do not", async () => {
  const gateway = await startGateway({ own: "database" });
  const directory = await makeDataDirectory();
  const coverage = join(directory, "coverage");
  // What it was covered of names each file that was loaded.
  const service = startService({
    DATABASE_URL: gateway.url,
    DATA_DIR: directory,
    NODE_V8_COVERAGE: coverage,
  });
  await service.ready;
  service.kill("SIGTERM");
  expect(await service.exited).toBe(0);

  const files = await readdir(coverage);
  const loaded = (await Promise.all(files.map((name) => readFile(join(coverage, name), "utf8")))).join("");
  expect(loaded).toContain("node_modules/graphile-worker/");
  expect(loaded).not.toContain("node_modules/@opentelemetry/sdk-");
  await cleanUp();
  await gateway.close();
});
