import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Options } from "@node-rs/argon2";
import { unavailable } from "../errors/domain-error.js";

/** What a thread computes: the hash of a password, or whether the password fits a hash. */
export type PasswordTask =
  | { readonly kind: "hash"; readonly password: string; readonly options: Options }
  | { readonly kind: "verify"; readonly password: string; readonly hash: string };

interface Waiting {
  readonly task: PasswordTask;
  readonly resolve: (result: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

type Answer = { readonly result: string | boolean } | { readonly message: string };

/** Each thread keeps a core busy while it computes, and takes 19 MiB for that. */
const MOST_THREADS = Math.min(4, Math.max(2, availableParallelism()));
/** This many tasks may wait for each thread; a login has four. */
const WAITING_PER_THREAD = 128;

/** Does one task after the other. It is plain JavaScript, so that it runs the same before and after the build. */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { hashSync, verifySync } = require(workerData.argon2);
  parentPort.on("message", (task) => {
    try {
      const result = task.kind === "hash"
        ? hashSync(task.password, task.options)
        : verifySync(task.hash, task.password);
      parentPort.postMessage({ result });
    } catch (error) {
      parentPort.postMessage({ message: String(error.message) });
    }
  });`;
const argon2 = createRequire(import.meta.url).resolve("@node-rs/argon2");

/**
 * Threads that compute nothing but hashes of passwords. The asynchronous functions of the package use the threads of
 * node, for which files, pictures and names of hosts wait too: then a login would wait for all of these, and they for
 * logins. A thread begins with the first task that finds no other one idle, and stays.
 */
class PasswordThreads {
  private readonly idle: PasswordThread[] = [];
  private readonly queue: Waiting[] = [];
  private threads = 0;

  /** @throws DomainError UNAVAILABLE when too many tasks wait. */
  run(task: PasswordTask): Promise<string | boolean> {
    if (this.queue.length >= MOST_THREADS * WAITING_PER_THREAD)
      return Promise.reject(unavailable("Too many passwords are checked at once; try again."));
    return new Promise((resolve, reject) => {
      this.queue.push({ task, resolve, reject });
      if (this.idle.length === 0 && this.threads < MOST_THREADS) this.idle.push(this.begin());
      this.giveNext();
    });
  }

  private begin(): PasswordThread {
    this.threads += 1;
    const thread = new PasswordThread({
      onIdle: () => {
        this.idle.push(thread);
        this.giveNext();
      },
      onEnd: () => {
        this.threads -= 1;
        const place = this.idle.indexOf(thread);
        if (place >= 0) this.idle.splice(place, 1);
        if (this.queue.length > 0 && this.idle.length === 0) this.idle.push(this.begin());
        this.giveNext();
      },
    });
    return thread;
  }

  private giveNext(): void {
    while (this.queue.length > 0) {
      const thread = this.idle.pop();
      if (thread === undefined) return;
      thread.take(this.queue.shift() as Waiting);
    }
  }
}

interface ThreadEvents {
  readonly onIdle: () => void;
  readonly onEnd: () => void;
}

/** One thread, which does one task at a time. It keeps the process alive only while it does. */
class PasswordThread {
  private readonly worker = new Worker(PROGRAM, { eval: true, workerData: { argon2 } });
  private doing: Waiting | null = null;

  constructor({ onIdle, onEnd }: ThreadEvents) {
    this.worker.on("message", (answer: Answer) => {
      const { resolve, reject } = this.doing as Waiting;
      this.doing = null;
      this.worker.unref();
      if ("result" in answer) resolve(answer.result);
      else reject(new Error(answer.message));
      onIdle();
    });
    let cause: unknown;
    this.worker.on("error", (error) => (cause = error));
    this.worker.once("exit", () => {
      this.doing?.reject(new Error("a thread for passwords ended", { cause }));
      this.doing = null;
      onEnd();
    });
    this.worker.unref();
  }

  take(waiting: Waiting): void {
    this.doing = waiting;
    this.worker.ref();
    this.worker.postMessage(waiting.task);
  }
}

/** The threads of this process. */
export const passwordThreads = new PasswordThreads();
