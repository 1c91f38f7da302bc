import { performance } from "node:perf_hooks";
import type { Answer, Door } from "./door.js";
import type { World } from "./world.js";

/** A limit and how it is tried to be passed. */
export interface Scenario {
  readonly name: string;
  /** Refusals that belong to it; any other error fails the proof. */
  readonly refusals: readonly string[];
  prepare(world: World, limit: number): Promise<Trial>;
}

/** A scenario with everything in place. */
export interface Trial {
  /** The attempt of this number at this door; its answers in order. */
  attempt(door: Door, number: number): Promise<readonly Answer[]>;
  /** Whether an attempt got what is limited; unless told, when nothing of it was refused. */
  isUse?(answers: readonly Answer[]): boolean;
  /** What is in the database afterwards. */
  count(): Promise<Counted>;
}

export interface Counted {
  /** What the counter says. */
  readonly counter: number;
  /** The rows that it counts. */
  readonly rows: number;
  /** What else has to be so: each true. */
  readonly facts?: Readonly<Record<string, boolean>>;
}

/** A line of the table. */
export interface Verdict {
  readonly limit: number;
  readonly attempts: number;
  readonly uses: number;
  readonly rows: number;
  readonly counter: number;
  readonly refused: number;
  readonly "5xx": number;
  readonly seconds: number;
  readonly verdict: string;
}

/** Attempts under way at each door at a time. */
const AT_ONCE = 8;

/** Makes all attempts, as many at each door, and says whether the limit held. */
export async function run(scenario: Scenario, world: World, limit: number): Promise<Verdict> {
  const trial = await scenario.prepare(world, limit);
  const start = performance.now();
  const answers = await attemptAll(trial, world);
  const seconds = Number(((performance.now() - start) / 1000).toFixed(1));
  const isUse = trial.isUse ?? ((all: readonly Answer[]) => all.every(({ codes }) => codes.length === 0));
  const uses = answers.filter(isUse).length;
  const flat = answers.flat();
  const failed = flat.filter(({ httpStatus, statuses }) =>
    [httpStatus, ...statuses].some((status) => status >= 500),
  );
  const strange = flat.flatMap(({ codes }) => codes).filter((code) => !scenario.refusals.includes(code));
  const { counter, rows, facts = {} } = await trial.count();
  const wrong = [
    ...(uses === limit && rows === limit && counter === limit ? [] : ["not the limit"]),
    ...(failed.length === 0 ? [] : ["5xx"]),
    ...[...new Set(strange)].map((code) => `answered ${code}`),
    ...Object.entries(facts).flatMap(([fact, holds]) => (holds ? [] : [`not so: ${fact}`])),
  ];
  return {
    limit,
    attempts: answers.length,
    uses,
    rows,
    counter,
    refused: answers.length - uses,
    "5xx": failed.length,
    seconds,
    verdict: wrong.length === 0 ? "holds" : wrong.join(", "),
  };
}

async function attemptAll({ attempt }: Trial, { doors, attempts }: World): Promise<(readonly Answer[])[]> {
  const perDoor = await Promise.all(
    doors.map(async (door, place) => {
      const answers: (readonly Answer[])[] = [];
      let next = place;
      const work = async (): Promise<void> => {
        while (next < attempts) {
          const number = next;
          next += doors.length;
          answers.push(await attempt(door, number));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return answers;
    }),
  );
  return perDoor.flat();
}
