import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createCompany } from "../support/factories.js";
import { startGateway } from "../support/gateway.js";

it("is not ready while the database is away, and says when to ask again", async () => {
  const gateway = await startGateway({ own: "service" });
  const ready = await gateway.app.inject({ url: "/readyz" });
  await gateway.database.close();

  const { statusCode, headers, body } = await gateway.app.inject({ url: "/readyz" });

  expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ready" }]);
  expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
  expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  expect(JSON.parse(body)).toMatchObject({ code: "UNAVAILABLE", request_id: headers["x-request-id"] });
  expect((await gateway.app.inject({ url: "/healthz" })).statusCode).toBe(200);
  await gateway.app.close();
});

it("is not ready until the documents of the routes have run for a company that is there", async () => {
  const gateway = await startGateway({ own: "service" });
  const company = await createCompany(gateway);
  gateway.statements.length = 0;

  const warming = gateway.app.warmUp();
  const meanwhile = await gateway.app.inject({ url: "/readyz" });
  const operations = await warming;
  const afterwards = await gateway.app.inject({ url: "/readyz" });
  const ran = gateway.statements.length;
  const listed = await gateway.platform.rest("GET", `/companies/${company.id}/goods?cursor=`);
  await gateway.close();

  expect([meanwhile.statusCode, afterwards.statusCode, listed.status]).toEqual([503, 200, 200]);
  expect(operations).toBeGreaterThan(0);
  expect(ran).toBeGreaterThanOrEqual(operations);
});

it("refuses what still comes over an open connection after it is asked to stop", async () => {
  const gateway = await startGateway({ own: "service" });
  await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = gateway.app.server.address() as AddressInfo;
  const [begun, late] = [1, 2].map(() => connect(port, "127.0.0.1").setEncoding("utf8")) as [Socket, Socket];
  const query = '{"query":"{ __typename }"}';
  const head = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  late.write("GET /graphql HTTP/1.1\r\n");
  begun.write(`${head}Content-Length: ${query.length}\r\n\r\n${query.slice(0, 5)}`);
  await once(gateway.app.server, "request");

  const closing = gateway.close();
  await new Promise(setImmediate);
  late.write("Host: x\r\n\r\n");
  begun.write(query.slice(5));
  const answers = await Promise.all([textOf(begun), textOf(late)]);
  await closing;

  expect(answers[0]).toMatch(/^HTTP\/1.1 200 [\s\S]*\{"data":\{"__typename":"Query"\}/u);
  expect(answers[1]).toMatch(/^HTTP\/1.1 503 [\s\S]*"code":"UNAVAILABLE"/u);
  for (const header of ["retry-after: 1", "x-request-id: ", "content-type: application/json"])
    expect(answers[1]).toContain(header);
});

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}
