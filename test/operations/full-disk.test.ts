import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { png } from "../files/pictures.js";
import { avatarParts, avatarPath, formOf } from "../files/uploads.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { observedApp, type LogLine, type ObservedApp } from "./observed-app.js";

const NO_ROOM = 'could not extend file "base/16384/24576": No space left on device';

let gateway: Gateway;
let acme: TestCompany;
let observed: ObservedApp;
let goodId: number;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  acme = await createCompany(gateway);
  ({ id: goodId } = await createGood(gateway, acme.id, { name: "Arepa" }));
  observed = await observedApp(gateway);
  // The database refuses as PostgreSQL does whose disk is full.
  const client = new pg.Client({ connectionString: gateway.ownerUrl });
  await client.connect();
  await client.query(`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '${NO_ROOM}' USING ERRCODE = '53100';
    END $$;
    CREATE TRIGGER no_room BEFORE UPDATE ON goods FOR EACH ROW EXECUTE FUNCTION no_room()`);
  await client.end();
});
afterAll(async () => {
  await observed.app.close();
  await gateway.close();
});

it("of the database is told to the log and to the numbers, not to callers", async () => {
  const { app } = observed;
  const headers = { authorization: `Bearer ${String(acme.owner.token)}` };
  const url = `/api/companies/${acme.id}/goods/${goodId}`;
  const rename = `mutation { updateGood(companyId: ${acme.id}, id: ${goodId}, input: { name: "Cachapa" }) { id } }`;

  const byRest = await app.inject({ method: "PATCH", url, headers, payload: { name: "Cachapa" } });
  const byGraphql = await app.inject({
    method: "POST",
    url: "/graphql",
    headers: { ...headers, "idempotency-key": "full" },
    payload: { query: rename },
  });
  const read = await app.inject({ method: "GET", url, headers });
  const numbers = await app.inject({ method: "GET", url: "/metrics" });

  expect([byRest.statusCode, byRest.json().code]).toEqual([503, "UNAVAILABLE"]);
  expect(errorCodes(byGraphql.json())).toEqual(["UNAVAILABLE"]);
  expect(byRest.body + byGraphql.body).not.toContain("No space left");
  expect([read.statusCode, read.json().name]).toEqual([200, "Arepa"]);
  expect(numbers.body).toContain("\ngateway_faults_total 2\n");
  const fault = { err: { state: "53100", message: expect.stringContaining(NO_ROOM) } };
  expect(faultsOf(observed)).toMatchObject([fault, fault]);
});

it("of temporary files is told to the log and to the numbers, not to callers", async () => {
  const directory = await mkdtemp(join(tmpdir(), "commerce-full-"));
  const { TMPDIR } = process.env;
  // Nothing can be written below a file, whoever the process runs as.
  const noFolder = join(directory, "file");
  await writeFile(noFolder, "");
  process.env["TMPDIR"] = noFolder;
  const full = await observedApp(gateway);
  if (TMPDIR === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = TMPDIR;
  const ask = async (url: string, parts: Parameters<typeof formOf>[0], id: string) => {
    const { payload, headers } = await formOf(parts);
    const { token } = acme.owner;
    return full.app.inject({
      method: "POST",
      url,
      headers: { ...headers, authorization: `Bearer ${String(token)}`, "x-request-id": id },
      payload,
    });
  };
  const avatar = { bytes: await png({ width: 40 }) };

  const byRest = await ask(`/api${avatarPath(acme.id, acme.ownerId)}`, { avatar }, "by-rest");
  const byGraphql = await ask("/graphql", avatarParts(acme.id, acme.ownerId, avatar), "by-graphql");
  const numbers = await full.app.inject({ method: "GET", url: "/metrics" });
  await full.app.close();
  await rm(directory, { recursive: true });

  expect([byRest.statusCode, byRest.json().code]).toEqual([503, "UNAVAILABLE"]);
  expect(errorCodes(byGraphql.json())).toEqual(["UNAVAILABLE"]);
  expect(byRest.body + byGraphql.body).not.toContain("ENOTDIR");
  expect(numbers.body).toContain("\ngateway_faults_total 2\n");
  const fault = { err: { message: expect.stringContaining("ENOTDIR") } };
  expect(faultsOf(full)).toMatchObject([
    { ...fault, requestId: "by-rest" },
    { ...fault, requestId: "by-graphql" },
  ]);
  expect((await gateway.db.admin.findFirst({ where: { companyId: acme.id } }))?.avatarKey).toBeNull();
});

/** The lines of the log about faults. */
function faultsOf({ log }: ObservedApp): LogLine[] {
  return log()
    .split("\n")
    .filter((line) => line.includes('"level":50'))
    .map((line) => JSON.parse(line) as LogLine);
}
