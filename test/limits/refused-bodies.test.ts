import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const FORM = "multipart/form-data; boundary=x";
const LENGTH = 2_000_000;
const FIRST = 1_000;

/** Whoever still sends a body while it is refused gets to read the answer, and may go on with the same connection. */
describe("the refusal of a body that is still to come", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway({ own: "service" });
    company = await createCompany(gateway);
    await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(() => gateway.close());

  /** Sends the beginning of a body, waits for the answer, then sends the rest and another request. */
  async function statusesOf(start: string, headers: readonly string[]): Promise<string[]> {
    const socket = connect((gateway.app.server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
    const statuses = (): string[] =>
      [...text.matchAll(/HTTP\/1\.1 (\d{3}) /gu)].map(([, status]) => status as string);
    const answers = async (count: number): Promise<void> => {
      while (statuses().length < count) await once(socket, "data");
    };
    socket.write([`${start} HTTP/1.1`, "Host: x", ...headers, "", "y".repeat(FIRST)].join("\r\n"));
    await answers(1);
    socket.write("y".repeat(LENGTH - FIRST));
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await answers(2);
    socket.destroy();
    return statuses();
  }

  const pictures = (id: number): string => `/api/companies/${id}/goods/1/upload-picture`;
  const cases: [string, () => string, string, boolean, string][] = [
    ["without a token", () => `POST ${pictures(company.id)}`, FORM, false, "401"],
    ["for another company", () => `POST ${pictures(company.id + 1)}`, FORM, true, "403"],
    ["for an unknown path", () => "POST /api/nowhere", FORM, true, "404"],
    ["for a method that is not there", () => `PUT ${pictures(company.id)}`, FORM, true, "405"],
    ["that is too large", () => `POST /api/companies/${company.id}/goods`, "application/json", true, "413"],
    ["of another type", () => `POST /api/companies/${company.id}/goods`, FORM, true, "415"],
    ["without a file", () => `POST ${pictures(company.id)}`, "multipart/form-data", true, "404"],
    ["by GraphQL", () => "POST /graphql", "text/plain", false, "415"],
  ];
  it.each(cases)("%s is read", async (_name, start, type, isKnown, status) => {
    const token = isKnown ? [`Authorization: Bearer ${company.owner.token}`] : [];

    const statuses = await statusesOf(start(), [
      `Content-Type: ${type}`,
      `Content-Length: ${LENGTH}`,
      ...token,
    ]);

    expect(statuses).toEqual([status, "200"]);
  });

  it("of imports for which the company has no room is read, after that of a path that names no shop", async () => {
    const { id: companyId, owner } = company;
    const { id: shopId } = await createBranchGroup(gateway, companyId);
    const waits = {
      companyId,
      branchGroupId: shopId,
      status: "scheduled",
      fileName: "goods.csv",
      format: "csv",
    };
    await gateway.db.importJob.createMany({
      data: Array.from({ length: 20 }, () => ({ ...waits, dryRun: false, options: {} })),
    });
    const send = (shop: number): Promise<string[]> =>
      statusesOf(`POST /api/companies/${companyId}/branch-groups/${shop}/goods/import`, [
        `Content-Type: ${FORM}`,
        `Content-Length: ${LENGTH}`,
        `Authorization: Bearer ${owner.token}`,
      ]);

    expect(await send(shopId)).toEqual(["429", "200"]);
    expect(await send(2_000_000_000)).toEqual(["404", "200"]);
  });

  it("closes the connection when the host is none", async () => {
    const socket = connect((gateway.app.server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));

    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: a b\r\nContent-Type: ${FORM}\r\nContent-Length: ${LENGTH}\r\n\r\n`,
    );
    await once(socket, "close");

    expect(text).toMatch(/^HTTP\/1\.1 400 /u);
    expect(text).toMatch(/^connection: close\r$/imu);
  });
});
