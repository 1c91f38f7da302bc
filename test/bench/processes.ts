import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.js";
import { SECRET } from "./secret.js";

/** The options of node in the production image. */
export function productionOptions(): string {
  const text = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8");
  const options = /^ENV NODE_OPTIONS="(?<options>.*)"$/mu.exec(text)?.groups?.["options"];
  if (options === undefined) throw new Error("The Dockerfile sets no NODE_OPTIONS");
  return options;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The processor time of a process so far, with that of its children that have ended; 0 of one that is gone. */
export function cpuMsOf(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return 0;
  }
  const ticks = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 16).map(Number);
  return ticks.reduce((sum, some) => sum + some, 0) * TICK_MS;
}

/** The processor time of a process and of those that it started, which run or have ended, so far. */
export function cpuMsOfFamily(pid: number): number {
  let children: string;
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  } catch {
    return 0;
  }
  const running = children.split(" ").filter((child) => child !== "");
  return running.reduce((sum, child) => sum + cpuMsOf(Number(child)), cpuMsOf(pid));
}

/** A server process that is measured. */
export class Server {
  constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** The resident memory in megabytes. */
  get rssMb(): number {
    const status = readFileSync(`/proc/${this.child.pid ?? 0}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(?<kb>\d+)/u.exec(status)?.groups?.["kb"] ?? 0) / 1024);
  }

  /**
   * The processor time that the server has taken so far, with that of the processes which it started and which have ended,
   * in milliseconds, to the next 10 ms.
   */
  get cpuMs(): number {
    return cpuMsOf(this.child.pid ?? 0);
  }

  /** Kills the server, as a crash would end it. */
  async kill(): Promise<void> {
    const ended = once(this.child, "exit");
    if (this.child.exitCode === null && this.child.signalCode === null && this.child.kill("SIGKILL"))
      await ended;
  }

  /** Ends the server and waits until it has ended: its database may stop after that. @returns the exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, "exit");
      this.child.kill("SIGTERM");
      await ended;
    }
    return this.child.exitCode;
  }
}

/** Starts a server and waits until it answers at `path`. */
export async function startServer(
  command: readonly string[],
  options: { port: number; path: string; environment?: Record<string, string>; folder?: string },
): Promise<Server> {
  const { port, path, environment = {}, folder } = options;
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...environment },
    ...(folder !== undefined && { cwd: folder }),
  });
  const server = new Server(child, `http://127.0.0.1:${port}`);
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    if (child.exitCode !== null) break;
    if (
      await fetch(server.url + path).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return server;
    await wait(50);
  }
  child.kill("SIGKILL");
  throw new Error(`${command.join(" ")} does not answer`);
}

/**
 * Starts the service as it runs in production, with the options of node of its image, on a free port and without a limit of
 * requests.
 *
 * @param environment is put over that; its `PORT` is taken instead of a free one.
 * @param how `folder` is the checkout whose service is started, `flags` are options of node beside those of the image.
 */
export async function startProductionService(
  url: string,
  environment: Readonly<Record<string, string>> = {},
  how: { readonly folder?: string; readonly flags?: readonly string[] } = {},
): Promise<Server> {
  const port = Number(environment["PORT"] ?? (await freePort()));
  return startServer([process.execPath, ...(how.flags ?? []), "dist/main.js"], {
    port,
    path: "/readyz",
    ...(how.folder !== undefined && { folder: how.folder }),
    environment: {
      DATABASE_URL: url,
      PORT: String(port),
      JWT_SECRET: SECRET,
      SECRETS_KEY: "5e".repeat(32),
      NODE_ENV: "production",
      NODE_OPTIONS: productionOptions(),
      RATE_LIMIT: "0",
      LOG_LEVEL: "warn",
      ...environment,
    },
  });
}
