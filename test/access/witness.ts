import type { InjectOptions } from "fastify";
import { observedApp, type ObservedApp } from "../operations/observed-app.js";
import type { Gateway } from "../support/gateway.js";
import { textsOfTables } from "../support/table-texts.js";
import type { Marks } from "./marks.js";

/** An answer, and which marks it may tell whom it went to. */
interface Told {
  readonly what: string;
  readonly text: string;
  readonly tells: RegExp | null;
}

export interface Sent extends InjectOptions {
  readonly url: string;
  readonly by?: string | null;
  /** What the answer may tell. */
  readonly tells?: RegExp | null;
}

/** Sends requests to a service of its own, and sees all that the service answers, logs, measures and stores. */
export class Witness {
  private readonly told: Told[] = [];

  private constructor(
    private readonly observed: ObservedApp,
    private readonly url: string,
  ) {}

  static async of(gateway: Gateway): Promise<Witness> {
    const observed = await observedApp(gateway, { LOG_LEVEL: "trace", RATE_LIMIT: "0" });
    return new Witness(observed, gateway.url);
  }

  close(): Promise<unknown> {
    return this.observed.app.close();
  }

  /** How often the log reports a fault of the service. */
  get faults(): number {
    return this.observed.log().split('"unexpected error"').length - 1;
  }

  /** Sends a request, and keeps all of the answer. */
  async send(what: string, { by = null, headers = {}, tells = null, ...request }: Sent) {
    const authorization = by === null ? {} : { authorization: `Bearer ${by}` };
    const answer = await this.observed.app.inject({ ...request, headers: { ...authorization, ...headers } });
    const text = `${JSON.stringify(answer.headers)} ${answer.body}`;
    const refused = answer.statusCode >= 400 || answer.body.includes('"errors":[');
    this.told.push({
      what: `${what}: ${String(request.method)} ${request.url.slice(0, 60)} ${answer.statusCode}`,
      text,
      tells: refused && request.method !== "GET" ? null : tells,
    });
    return answer;
  }

  /** The places of the marks, without those that are theirs. */
  async find(sought: Marks): Promise<string[]> {
    const metrics = await this.observed.app.inject({ method: "GET", url: "/metrics" });
    const tables = await textsOfTables(this.url);
    const places = [
      ...this.told,
      ...this.observed
        .log()
        .split("\n")
        .map((text) => ({ what: "log", text, tells: null })),
      { what: "metrics", text: metrics.body, tells: null },
      ...[...tables].map(([what, text]) => ({
        what,
        text,
        tells: what === "public.client_addresses" ? /^address/u : null,
      })),
    ];
    const found = places.flatMap(({ what, text, tells }) => {
      const names = sought.within(text).filter((name) => tells?.test(name) !== true);
      return names.map((name) => `${what}: ${name}`);
    });
    return [...new Set(found)].sort();
  }
}
