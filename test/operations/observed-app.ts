import { Writable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { buildApp } from "../../src/app.js";
import { loadConfig } from "../../src/process/config/config.js";
import { logOptions } from "../../src/process/log.js";
import type { Gateway } from "../support/gateway.js";
import { sharedRestDocuments, sharedSchema } from "../support/schema.js";

export type LogLine = Record<string, unknown>;

/** Starts another service on a gateway's database, with its own environment, and keeps its log. */
export interface ObservedApp {
  readonly app: FastifyInstance;
  /** The whole log, as it was written. */
  log(): string;
  /** The lines about requests since the last call of `forget`. */
  requests(): LogLine[];
  forget(): void;
}

export function observedApp(
  { database, keys, secrets, url }: Gateway,
  environment: Record<string, string> = {},
): Promise<ObservedApp> {
  let text = "";
  let seen = 0;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const config = loadConfig({
    DATABASE_URL: url,
    JWT_SECRET: "s".repeat(32),
    SECRETS_KEY: "5".repeat(64),
    LOG_LEVEL: "debug",
    ...environment,
  });
  const log = pino(logOptions(config.logLevel), stream);
  const [schema, restDocuments] = [sharedSchema(), sharedRestDocuments()];
  return buildApp({ config, database, keys, secrets, log, schema, restDocuments }).then((app) => ({
    app,
    log: () => text,
    requests: () =>
      text
        .slice(seen)
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as LogLine)
        .filter(({ msg }) => msg === "request"),
    forget: () => (seen = text.length),
  }));
}
