import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { OwnProcess, type Ending } from "../../src/engine/processes/own-process.js";
import { emptyRuns, png } from "../files/pictures.js";
import { temporaryFolder, written } from "../sheets/sheet-files.js";
import { childrenOf, untilGone } from "./children.js";

const folder = temporaryFolder();
const dist = (program: string): string =>
  JSON.stringify(new URL(`../../dist/engine/${program}`, import.meta.url));
const readsSheet = (): string => {
  const path = written(folder, `sku,name\n${"1,abc\n".repeat(200_000)}`, "csv");
  const source = JSON.stringify({ companyId: 1, path, format: "csv" });
  return `
    const { createSheets } = await import(${dist("sheets/sheets.js")});
    await createSheets(null).read(${source})[Symbol.asyncIterator]().next();`;
};
const decodes = async (bytes: Buffer): Promise<string> => {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  return `
    const { makePicture } = await import(${dist("storage/picture-processes.js")});
    const made = makePicture(${JSON.stringify(path)});`;
};
const LIVES_ON = `process.stdout.write("begun"); setInterval(() => undefined, 1000);`;

/** Other than what those who run the tests are, and less than the most. */
const SERVICE_NICE = 5;

type Service = ChildProcessByStdio<null, Readable, null>;

/** Runs a program that starts a process of its own. */
function run(script: string): Service {
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The process that the service has started. */
async function childOf({ pid = 0, stdout }: Service): Promise<number> {
  await once(stdout, "data");
  return childrenOf(pid)[0] ?? 0;
}

async function killed(service: Service): Promise<void> {
  service.kill("SIGKILL");
  await once(service, "exit");
}

interface Manners {
  /** How nice its threads are. */
  readonly nice: readonly number[];
  /** How much the system prefers to end it when memory runs out. */
  readonly end: number;
}

/** Returns the manners of a process; `null` when it has ended meanwhile, which on a busy machine comes before the look at it. */
function manners(pid: number): Manners | null {
  try {
    const nice = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[17]);
    });
    return { nice: [...new Set(nice)], end: Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8")) };
  } catch {
    return null;
  }
}

describe("a process of its own", () => {
  it("gives way to the service, which may be nice itself, and is ended before it", async () => {
    const nice = `(await import("node:os")).setPriority(${SERVICE_NICE});`;
    const found: Manners[] = [];
    const scripts = [readsSheet(), await decodes(emptyRuns({ width: 6_300 }))];
    while (found.length < scripts.length) {
      const service = run(`${nice}${scripts[found.length]}${LIVES_ON}`);
      const seen = manners(await childOf(service));
      // On a busy machine the look may come before the process is told: then it is tried again.
      if (seen?.nice.length === 1) found.push(seen);
      await killed(service);
    }

    expect(found).toEqual(Array(2).fill({ nice: [SERVICE_NICE + 10], end: 1_000 }));
  });

  it("ends with the service, also while it decodes", async () => {
    const service = run((await decodes(emptyRuns({ width: 6_300 }))) + LIVES_ON);
    const child = await childOf(service);
    await killed(service);

    expect(child).toBeGreaterThan(0);
    await untilGone(child);
  });

  it("keeps no service alive once its order is done", async () => {
    const service = run(`${await decodes(await png({ width: 100 }))}
      await made;
      const { readFileSync } = await import("node:fs");
      const children = \`/proc/\${process.pid}/task/\${process.pid}/children\`;
      process.on("exit", () => process.stdout.write(readFileSync(children, "utf8")));`);
    const said = await text(service.stdout);

    expect(Number(said)).toBeGreaterThan(0);
    await untilGone(Number(said));
  });

  it("says why it ended: without memory when the system killed it, else with its last words", async () => {
    const endings = [];
    for (const [program, signal] of [
      ["sheets/sheet-process.js", "SIGKILL"],
      ["sheets/sheet-process.js", "SIGSEGV"],
      ["sheets/none.js", null],
    ] as const) {
      const before = childrenOf(process.pid);
      const ending = new Promise<Ending>((lost) => new OwnProcess(program, { heard: () => undefined, lost }));
      const [child = 0] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
      if (signal !== null) process.kill(child, signal);
      endings.push(await ending);
    }

    expect(endings).toEqual([
      { why: "noMemory", detail: "SIGKILL" },
      { why: "gaveUp", detail: "SIGSEGV" },
      { why: "gaveUp", detail: expect.stringMatching(/^code 1 .*Cannot find module/su) },
    ]);
  });

  it("is not heard any more once it is ended, and nobody learns of that end", async () => {
    const told: unknown[] = [];
    const order = { kind: "read", source: { path: written(folder, "sku\n1\n", "csv"), format: "csv" } };
    const process = new OwnProcess("sheets/sheet-process.js", {
      heard: (report) => told.push(report),
      lost: (ending) => told.push(ending),
    });
    process.send(order);
    await process.end();
    process.send(order);

    expect(told).toEqual([]);
  });
});
