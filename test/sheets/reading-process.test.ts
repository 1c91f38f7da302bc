import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sheets, temporaryFolder, written } from "./sheet-files.js";

const folder = temporaryFolder();
const long = (): string => written(folder, `sku,name\n${"1,abc\n".repeat(200_000)}`, "csv");

/** The processes that a process has started and that live. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** The names of the variables that a process was given. */
const environmentOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .flatMap((variable) => (variable === "" ? [] : [variable.slice(0, variable.indexOf("="))]));

async function untilGone(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "))
    await sleep(20);
}

it("knows nothing of the environment, and is gone when the rows are given up", async () => {
  const before = childrenOf(process.pid);
  const batches = sheets.read({ companyId: 1, path: long(), format: "csv" })[Symbol.asyncIterator]();
  await batches.next();
  const [reader = 0, ...more] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  const environment = environmentOf(reader);
  await batches.return?.();

  expect(more).toEqual([]);
  // Node tells its children by these how to talk with it.
  expect(environment.sort()).toEqual(["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"]);
  expect(childrenOf(process.pid)).not.toContain(reader);
});

it("is gone at once when its signal is aborted, while nobody asks for rows", async () => {
  const before = childrenOf(process.pid);
  const abort = new AbortController();
  const source = { companyId: 1, path: long(), format: "csv", signal: abort.signal } as const;
  const batches = sheets.read(source)[Symbol.asyncIterator]();
  await batches.next();
  const [reader = 0] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  abort.abort(new Error("given up"));
  await untilGone(reader);

  await expect(batches.next()).rejects.toThrow("given up");
});

it("ends with the process that started it, however that ends", async () => {
  const program = fileURLToPath(new URL("../../dist/engine/sheets/sheets.js", import.meta.url));
  const source = JSON.stringify({ companyId: 1, path: long(), format: "csv" });
  const script = `
    const { createSheets } = await import(${JSON.stringify(program)});
    const batches = createSheets(null).read(${source})[Symbol.asyncIterator]();
    await batches.next();
    process.stdout.write("reading");
    setInterval(() => undefined, 1000);`;
  const service = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(service.stdout, "data");
  const [reader = 0, ...more] = childrenOf(service.pid ?? 0);
  service.kill("SIGKILL");
  await once(service, "exit");

  expect([reader > 0, more]).toEqual([true, []]);
  await untilGone(reader);
});
