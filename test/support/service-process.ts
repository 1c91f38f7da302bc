import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The real service as an operator starts it; it chooses its own port by default. */
export interface ServiceProcess {
  pid: number;
  /** Returns the text of both output streams until now. */
  output(): string;
  /** The base URL, as soon as the service listens. The promise is rejected when the service exits first. */
  ready: Promise<string>;
  /** The exit code; `null` when a signal ended the process. */
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

export function startService(env: Record<string, string>): ServiceProcess {
  const child = spawn(process.execPath, ["--enable-source-maps", "dist/main.js"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: "0", DEMO_DATA: "off", LOG_LEVEL: "info", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const listening = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /listening on (http:\/\/[^"\s]+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const failed = exited.then((code) => Promise.reject(new Error(`exited with ${code}:\n${output}`)));
  const ready = Promise.race([listening, failed]);
  ready.catch(() => undefined);
  running.add(child);
  return {
    pid: child.pid as number,
    output: () => output,
    ready,
    exited,
    kill: (signal) => child.kill(signal),
  };
}

/** Makes a directory that `cleanUp` removes. */
export async function makeDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "commerce-start-"));
  directories.add(directory);
  return directory;
}

/** Stops the services that the test started; call it in `afterEach`. */
export async function stopServices(): Promise<void> {
  for (const child of running) {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill("SIGTERM");
      await ended;
    }
  }
  running.clear();
}

/** Stops the services and removes the directories; call it in `afterEach` or `afterAll`. */
export async function cleanUp(): Promise<void> {
  await stopServices();
  for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  directories.clear();
}

const running = new Set<ChildProcess>();
const directories = new Set<string>();
