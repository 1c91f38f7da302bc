import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { startGateway, type Gateway } from "../support/gateway.js";

const SECTION = /^## From nothing to a shop$.*?^```sh$(?<commands>.*?)^```$/msu;
const PRINTED_ADDRESS = "http://127.0.0.1:4000";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
afterAll(() => gateway.close());

it("makes a shop out of nothing by the commands of the README, as they are printed", async () => {
  const address = await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const commands = SECTION.exec(readme)?.groups?.["commands"] ?? "";
  const text = commands.replaceAll(PRINTED_ADDRESS, address);
  const env = { ...process.env, TOKEN: gateway.platform.token as string };

  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", text], { env });

  expect(stdout).toContain("********\n");
  expect(stdout).toContain('"name":"Arepa"');
  expect(stdout).toMatch(/true\n$/u);
  const companies = await gateway.db.company.findMany({ include: { goods: true, clients: true } });
  expect(companies).toMatchObject([
    { domain: "luna.example", goods: [{ name: "Arepa" }], clients: [{ name: "Eva" }] },
  ]);
});
