import { spawn, type ChildProcess } from "node:child_process";
import { NICENESS } from "./niceness.js";

/** What a flood took of the processors, in cores. */
export interface Taken {
  readonly database: number;
  readonly senders: number;
}

const BURNER = new URL("./burner.mjs", import.meta.url).pathname;
/** A flood may keep one processor of the database busy; what it takes beyond that is the service's fault. */
const MOST_OF_DATABASE = 1;

/**
 * Takes as much of the machine as a flood took that somebody else answered: its senders, and one statement of the database at a
 * time. Meanwhile nobody floods the service.
 *
 * @returns a function that ends it.
 */
export function loadMachine({ database, senders }: Taken): () => void {
  const burners: readonly ChildProcess[] = [
    burner(Math.min(database, MOST_OF_DATABASE), 0),
    burner(Math.min(senders, 1), NICENESS),
  ];
  return () => {
    for (const one of burners) one.kill("SIGKILL");
  };
}

function burner(share: number, niceness: number): ChildProcess {
  return spawn(process.execPath, [BURNER, share.toFixed(2), String(niceness)], { stdio: "ignore" });
}
