import { pino, type Logger } from "pino";
import type { Config } from "./config/config.js";

/** JSON lines on standard output; readable ones when that is a terminal. */
export async function createLog(level: Config["logLevel"]): Promise<Logger> {
  const options = { level, base: null, redact: ["req.headers.authorization", "req.headers.cookie"] };
  if (!process.stdout.isTTY) return pino(options);
  const { default: pretty } = await import("pino-pretty");
  return pino(options, pretty({ colorize: true, translateTime: "SYS:HH:MM:ss", sync: true }));
}
