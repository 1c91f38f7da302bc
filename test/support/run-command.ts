import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How a command of the service has ended, and what it has printed. */
export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of `src/cli`, as it was built, in a process of its own.
 *
 * @param env is all of its environment.
 */
export async function runCommand(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandEnd> {
  const program = new URL(`../../dist/cli/${name}.js`, import.meta.url).pathname;
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [program, ...args], { env })) };
  } catch (error) {
    return error as CommandEnd;
  }
}
