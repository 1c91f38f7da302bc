import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What the bystander has seen since it was last asked. */
export interface Seen {
  /** The longest wait in milliseconds. */
  readonly longest: number;
  /** The waits that one in two, and that one in twenty exceeds, in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** The number of requests that were not answered by 200. */
  readonly refused: number;
  /** The longest time in milliseconds that the machine itself made the thread late. */
  readonly late: number;
}

/** A caller of another company who asks for something cheap every 50 ms. */
export class Bystander {
  private readonly thread: Worker;

  /** @param token is `null` for what asks for none, such as probes. */
  constructor(url: string, token: string | null) {
    this.thread = new Worker(new URL("./bystander-thread.mjs", import.meta.url), {
      workerData: { url, token },
    });
  }

  async seen(): Promise<Seen> {
    this.thread.postMessage("seen");
    const [seen] = (await once(this.thread, "message")) as [Seen];
    return seen;
  }

  async stop(): Promise<void> {
    this.thread.postMessage("stop");
    await this.thread.terminate();
  }
}
