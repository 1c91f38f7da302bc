import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../../src/demo/random.js";
import { freePort } from "../../bench/free-port.js";
import { startProductionService, type Server } from "../../bench/processes.js";
import { killBackend } from "../kill-backend.js";
import type { ProvingGround } from "../proving-ground.js";

/** A process is killed after so many milliseconds, at least and at most. */
const KILL_AFTER = [1_500, 10_000] as const;
/** Of so many kills one is of PostgreSQL, the second one first. */
const ONE_OF_POSTGRES = 6;

interface Instance {
  readonly url: string;
  server: Server;
}

/** Instances of the service, each of them started again at the same port when it was killed. */
export class Instances {
  readonly kills = { services: 0, postgres: 0 };
  /** The processor time of those that were killed. */
  private endedMs = 0;

  private constructor(
    private readonly ground: ProvingGround,
    private readonly allowed: string,
    private readonly instances: readonly Instance[],
  ) {}

  /** @param allowed is an address that may be sent to. */
  static async start(ground: ProvingGround, count: number, allowed: string): Promise<Instances> {
    const starting = Array.from({ length: count }, async (): Promise<Instance> => {
      const url = `http://127.0.0.1:${await freePort()}`;
      return { url, server: await startAt(url, ground, allowed) };
    });
    return new Instances(ground, allowed, await Promise.all(starting));
  }

  get urls(): string[] {
    return this.instances.map(({ url }) => url);
  }

  /** The processor time of all of them so far, in milliseconds. */
  get cpuMs(): number {
    return this.instances.reduce((sum, { server }) => sum + server.cpuMs, this.endedMs);
  }

  /** Whether both, services and PostgreSQL, have been killed. */
  get haveBeenKilled(): boolean {
    return this.kills.services > 0 && this.kills.postgres > 0;
  }

  /** Kills a process at random moments until the signal; instances are started again, PostgreSQL recovers by itself. */
  async killAgain(random: Random, signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted;) {
      await wait(random.int(...KILL_AFTER), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      if (turn % ONE_OF_POSTGRES === 1) {
        // It may not be there yet after the crash before.
        if (!(await killBackend(this.ground.url, random))) continue;
        this.kills.postgres += 1;
      } else {
        const instance = random.pick(this.instances);
        this.endedMs += instance.server.cpuMs;
        await instance.server.kill();
        this.kills.services += 1;
        instance.server = await startAt(instance.url, this.ground, this.allowed);
      }
      turn += 1;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map(({ server }) => server.stop()));
  }
}

function startAt(
  url: string,
  { url: databaseUrl, directory }: ProvingGround,
  allowed: string,
): Promise<Server> {
  return startProductionService(databaseUrl, {
    DATA_DIR: directory,
    STORAGE_URL: `file://${directory}/files`,
    PORT: new URL(url).port,
    LOG_LEVEL: "fatal",
    FETCH_ALLOW: allowed,
  });
}
