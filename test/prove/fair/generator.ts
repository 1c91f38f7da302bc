import { fork, type ChildProcess } from "node:child_process";
import type { Answer } from "../calm/attacker.js";
import type { Flooded, Ground } from "./floods.js";
import type { Asking, Overloaded } from "./overload.js";

/** What the process is to do. */
export type Order =
  | { readonly kind: "askOnce" | "begin"; readonly name: string; readonly ground: Ground }
  | { readonly kind: "end" }
  | { readonly kind: "capacity"; readonly asking: Asking; readonly seconds: number }
  | {
      readonly kind: "overload";
      readonly asking: Asking;
      readonly perSecond: number;
      readonly seconds: number;
    };

/** The result of an order, or why there is none. */
export interface Told {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Sends floods from a process of its own, so that the bystander waits for the service alone. */
export class Generator {
  private readonly child: ChildProcess;
  private readonly asked = new Map<number, (told: Told) => void>();
  private orders = 0;

  constructor() {
    this.child = fork(new URL("./generator-process.ts", import.meta.url), {
      execArgv: process.execArgv,
      // Bytes and maps are sent as they are.
      serialization: "advanced",
    });
    this.child.on("message", (told: Told) => {
      this.asked.get(told.id)?.(told);
      this.asked.delete(told.id);
    });
    this.child.once("exit", () => {
      for (const [id, hear] of this.asked) hear({ id, error: "the process that floods has ended" });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Asks once for what a flood asks for. */
  askOnce(name: string, ground: Ground): Promise<Answer> {
    return this.order({ kind: "askOnce", name, ground });
  }

  begin(name: string, ground: Ground): Promise<null> {
    return this.order({ kind: "begin", name, ground });
  }

  /** Ends the flood that was begun. @returns what came of it. */
  end(): Promise<Flooded> {
    return this.order({ kind: "end" });
  }

  /** See `capacityOf`. */
  capacityOf(asking: Asking, seconds: number): Promise<number> {
    return this.order({ kind: "capacity", asking, seconds });
  }

  /** See `overload`. */
  overload(asking: Asking, perSecond: number, seconds: number): Promise<Overloaded> {
    return this.order({ kind: "overload", asking, perSecond, seconds });
  }

  stop(): void {
    this.child.kill("SIGKILL");
  }

  private order<Result>(order: Order): Promise<Result> {
    const id = (this.orders += 1);
    return new Promise((resolve, reject) => {
      this.asked.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result as Result);
        else reject(new Error(error));
      });
      this.child.send({ id, order });
    });
  }
}
