import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
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

it("refuses what still comes over an open connection once it is told to stop", async () => {
  const gateway = await startGateway({ own: "service" });
  await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = gateway.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const query = '{"query":"{ __typename }"}';
  const head = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  socket.write(`${head}Content-Length: ${query.length}\r\n\r\n${query.slice(0, 5)}`);
  await once(gateway.app.server, "request");

  const closing = gateway.close();
  socket.write(`${query.slice(5)}GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  let answers = "";
  for await (const chunk of socket) answers += String(chunk);
  await closing;

  const [, begun = "", late = ""] = answers.split("HTTP/1.1 ");
  expect(begun).toMatch(/^200 [\s\S]*\{"data":\{"__typename":"Query"\}/u);
  expect(late).toMatch(/^503 [\s\S]*"code":"UNAVAILABLE"/u);
  for (const header of ["retry-after: 1", "x-request-id: ", "content-type: application/problem+json"])
    expect(late).toContain(header);
});
