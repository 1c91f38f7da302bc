import { pino, type Logger, type LoggerOptions } from "pino";
import type { Config } from "./config/config.js";

const SECRETS = ["authorization", "cookie", "password", "token", "accessToken", "refreshToken"];

/** A second net: nothing logs these. Named by exact paths, since wildcards would cost 20 µs a line. */
const REDACTED = SECRETS.flatMap((name) => [name, `headers.${name}`, `req.headers.${name}`, `err.${name}`]);

/** How the log is written, wherever it goes. */
export function logOptions(level: Config["logLevel"]): LoggerOptions {
  return { level, base: null, redact: REDACTED };
}

/** JSON lines on standard output; readable ones when that is a terminal. */
export async function createLog(level: Config["logLevel"]): Promise<Logger> {
  const options = logOptions(level);
  if (!process.stdout.isTTY) return pino(options);
  const { default: pretty } = await import("pino-pretty");
  return pino(options, pretty({ colorize: true, translateTime: "SYS:HH:MM:ss", sync: true }));
}
