import { performance } from "node:perf_hooks";
import type { Answer, Door } from "./door.js";
import type { World } from "./world.js";

/** A limit, and a way to try to exceed it. */
export interface Scenario {
  readonly name: string;
  /** The refusals that the limit causes; any other error fails the proof. */
  readonly refusals: readonly string[];
  prepare(world: World, limit: number): Promise<Trial>;
}

/** A scenario whose rows have been made. */
export interface Trial {
  /** Makes the attempt of this number at this service process and returns its answers in order. */
  attempt(door: Door, number: number): Promise<readonly Answer[]>;
  /** Returns whether an attempt got what the limit counts; by default, when none of its answers is a refusal. */
  isUse?(answers: readonly Answer[]): boolean;
  /** Counts in the database after all attempts. */
  count(): Promise<Counted>;
}

export interface Counted {
  /** The value of the stored counter. */
  readonly counter: number;
  /** The number of rows that the counter counts. */
  readonly rows: number;
  /** Further facts, which all have to be true. */
  readonly facts?: Readonly<Record<string, boolean>>;
}

/** A line of the printed table. */
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

/** Each service process gets this many attempts at a time. */
const AT_ONCE = 8;

/** Makes all attempts, as many at each service process, and returns whether the limit held. */
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
