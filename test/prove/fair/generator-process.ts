/** The program that sends floods, in a process of its own: see `generator.ts`. */
import { setPriority } from "node:os";
import { FLOODS, type Flood } from "./floods.js";
import type { Order, Told } from "./generator.js";
import { NICENESS } from "./niceness.js";
import { capacityOf, overload } from "./overload.js";

setPriority(NICENESS);
let end: ReturnType<Flood["begin"]> | null = null;

process.on("message", ({ id, order }: { id: number; order: Order }) => {
  void carryOut(order).then(
    (result) => tell({ id, result }),
    (error: unknown) => tell({ id, error: String(error) }),
  );
});

function tell(told: Told): void {
  process.send?.(told);
}

async function carryOut(order: Order): Promise<unknown> {
  switch (order.kind) {
    case "askOnce":
      return floodOf(order.name).askOnce(order.ground);
    case "begin":
      end = floodOf(order.name).begin(order.ground);
      return null;
    case "end":
      return end?.();
    case "capacity":
      return capacityOf(order.asking, order.seconds);
    case "overload":
      return overload(order.asking, order.perSecond, order.seconds);
  }
}

function floodOf(name: string): Flood {
  const flood = FLOODS.find((one) => one.name === name);
  if (flood === undefined) throw new Error(`there is no flood ${name}`);
  return flood;
}
