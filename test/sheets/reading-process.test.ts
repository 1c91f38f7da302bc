import { readFileSync } from "node:fs";
import { childrenOf, untilGone } from "../processes/children.js";
import { sheets, temporaryFolder, written } from "./sheet-files.js";

const folder = temporaryFolder();
const long = (): string => written(folder, `sku,name\n${"1,abc\n".repeat(200_000)}`, "csv");

/** The names of the variables that a process was given. */
const environmentOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .flatMap((variable) => (variable === "" ? [] : [variable.slice(0, variable.indexOf("="))]));

it("knows nothing of the environment, and is gone when the rows are given up", async () => {
  const before = childrenOf(process.pid);
  const batches = sheets.read({ companyId: 1, path: long(), format: "csv" })[Symbol.asyncIterator]();
  await batches.next();
  const [reader = 0, ...more] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  const environment = environmentOf(reader);
  await batches.return?.();

  expect(more).toEqual([]);
  // Node shows its children by these how to talk with it.
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
