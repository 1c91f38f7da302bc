import { generateKeyPairSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeProtectedHeader } from "jose";
import { namedSecret, readEcKeys } from "../../src/core/access/signing-keys.js";
import { createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import {
  cleanUp,
  makeDataDirectory,
  startService,
  stopServices,
  type ServiceProcess,
} from "../support/service-process.js";
import { createAccount, PASSWORD } from "./accounts.js";

type Keys = Record<"JWT_SECRET", string> & Partial<Record<"JWT_PRIVATE_KEY", string>>;

const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)] as const;
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PRIVATE_PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const PUBLIC_PEM = publicKey.export({ type: "spki", format: "pem" }).toString();

/**
 * What an operator sets, one after the other on all instances: another secret, then ES256. What the guide does
 * in steps of their own is done in one where neither step needs the other: fewer instances have to be started.
 */
const STAGES: readonly [Keys, ...Keys[]] = [
  { JWT_SECRET: OLD },
  { JWT_SECRET: `${OLD},${NEW}` },
  { JWT_SECRET: `${NEW},${OLD}`, JWT_PRIVATE_KEY: PUBLIC_PEM },
  { JWT_SECRET: NEW, JWT_PRIVATE_KEY: PRIVATE_PEM },
];
const SIGNERS = [namedSecret(OLD).kid, namedSecret(NEW).kid, readEcKeys(PRIVATE_PEM)?.[0]?.kid];

const CALLERS = 4;
/** How many access tokens a caller has in turn before it signs in anew. */
const TOKENS_PER_LOGIN = 3;
const PAUSE_MS = 50;

interface Instance {
  readonly url: string;
  readonly process: ServiceProcess;
  /** How many requests it has not answered yet. */
  waiting: number;
}

/** How requests of a kind were answered. */
interface Tally {
  ok: number;
  refused: string[];
}

/** Callers who sign in, use their token at each instance in turn, and trade it; all of it again and again. */
class Load {
  readonly logins: Tally = { ok: 0, refused: [] };
  readonly refreshes: Tally = { ok: 0, refused: [] };
  readonly uses: Tally = { ok: 0, refused: [] };
  /** The names of the keys that have signed a token. */
  readonly signers = new Set<string | undefined>();
  readonly #rounds: number[];
  readonly #callers: Promise<unknown>;
  #isOver = false;

  constructor(
    private readonly serving: readonly Instance[],
    emails: readonly string[],
  ) {
    this.#rounds = emails.map(() => 0);
    this.#callers = Promise.all(emails.map((email, place) => this.#call(email, place)));
    this.#callers.catch(() => undefined);
  }

  /** Waits until each caller has gone through a whole round, from the login on, that began after now. */
  async wholeRound(): Promise<void> {
    const goals = this.#rounds.map((rounds) => rounds + 2);
    // A caller that fails ends the wait too.
    while (goals.some((goal, place) => (this.#rounds[place] as number) < goal))
      await Promise.race([sleep(PAUSE_MS), this.#callers]);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#callers;
  }

  /** With an odd number of requests in a round, two instances take turns in each kind of request. */
  async #call(email: string, place: number): Promise<void> {
    let turn = place;
    const send = async (tally: Tally, path: string, init: RequestInit): Promise<any> => {
      const instance = this.serving[turn++ % this.serving.length] as Instance;
      instance.waiting += 1;
      const response = await fetch(`${instance.url}/api${path}`, init);
      const body: any = await response.json();
      instance.waiting -= 1;
      if (response.status === 200) tally.ok += 1;
      else tally.refused.push(`${response.status} ${body.code}`);
      await sleep(PAUSE_MS);
      return body;
    };
    const post = (tally: Tally, path: string, body: object) =>
      send(tally, path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    while (!this.#isOver) {
      let tokens = await post(this.logins, "/auth/login", { email, password: PASSWORD });
      for (let count = 1; tokens.access_token !== undefined; count += 1) {
        this.signers.add(decodeProtectedHeader(tokens.access_token).kid);
        const headers = { authorization: `Bearer ${tokens.access_token}` };
        for (const _ of this.serving) await send(this.uses, "/me", { headers });
        if (count === TOKENS_PER_LOGIN) break;
        tokens = await post(this.refreshes, "/auth/refresh", { refresh_token: tokens.refresh_token });
      }
      (this.#rounds[place] as number) += 1;
    }
  }
}

/** Two instances behind a balancer that sends each request to the next one. */
describe("a change of keys under load", () => {
  let gateway: Gateway;
  let environment: Record<string, string>;
  let emails: string[];
  let serving: Instance[];

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    const { id } = await createCompany(gateway);
    const accounts = await Promise.all(Array.from({ length: CALLERS }, () => createAccount(gateway, id)));
    emails = accounts.map(({ email }) => email);
    environment = {
      DATABASE_URL: gateway.url,
      DATA_DIR: await makeDataDirectory(),
      RATE_LIMIT: "0",
      JOBS: "off",
    };
  });
  afterEach(stopServices);
  afterAll(async () => {
    await cleanUp();
    await gateway.close();
  });

  async function start(keys: Keys): Promise<Instance> {
    const process = startService({ ...environment, ...keys });
    return { url: await process.ready, process, waiting: 0 };
  }

  /** Puts an instance in the place of another, which is stopped as soon as it has answered. */
  async function replace(place: number, next: Instance): Promise<void> {
    const [previous] = serving.splice(place, 1, next) as [Instance];
    while (previous.waiting > 0) await sleep(PAUSE_MS);
    previous.process.kill("SIGTERM");
    await previous.process.exited;
  }

  it("refuses nobody: another secret, and ES256 in its place", async () => {
    const [first, ...later] = STAGES;
    serving = await Promise.all([start(first), start(first)]);
    const load = new Load(serving, emails);
    await load.wholeRound();
    for (const keys of later) {
      const next = await Promise.all([start(keys), start(keys)]);
      for (const place of [0, 1] as const) {
        await replace(place, next[place]);
        // Once both have the same keys, no caller holds a token of the keys before at the end of a whole round.
        await load.wholeRound();
      }
    }
    await load.end();

    const { logins, refreshes, uses, signers } = load;
    expect([logins.refused, refreshes.refused, uses.refused]).toEqual([[], [], []]);
    expect([...signers]).toEqual(SIGNERS);
    const rounds = CALLERS * (1 + 2 * later.length);
    expect(logins.ok).toBeGreaterThanOrEqual(rounds);
    expect(refreshes.ok).toBeGreaterThanOrEqual(rounds * (TOKENS_PER_LOGIN - 1));
    expect(uses.ok).toBeGreaterThanOrEqual(rounds * TOKENS_PER_LOGIN * serving.length);
  });

  it("refuses tokens of a secret that one instance drops while another one signs by it", async () => {
    serving = await Promise.all([start({ JWT_SECRET: `${OLD},${NEW}` }), start({ JWT_SECRET: NEW })]);
    const load = new Load(serving, emails);
    await load.wholeRound();
    await load.end();

    const { logins, refreshes, uses } = load;
    expect([logins.refused, refreshes.refused]).toEqual([[], []]);
    expect(new Set(uses.refused)).toEqual(new Set(["401 UNAUTHENTICATED"]));
  });
});
