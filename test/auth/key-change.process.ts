import { generateKeyPairSync } from "node:crypto";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { cleanUp, makeDataDirectory, startService, type ServiceProcess } from "../support/service-process.js";
import { createAccount, PASSWORD } from "./accounts.js";

const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)] as const;
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PRIVATE_PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const PUBLIC_PEM = publicKey.export({ type: "spki", format: "pem" }).toString();

/** What an operator sets, one after the other on all instances: another secret, and then ES256. */
const STAGES: readonly Record<string, string>[] = [
  { JWT_SECRET: OLD },
  { JWT_SECRET: `${OLD},${NEW}` },
  { JWT_SECRET: `${NEW},${OLD}` },
  { JWT_SECRET: NEW },
  { JWT_SECRET: NEW, JWT_PRIVATE_KEY: PUBLIC_PEM },
  { JWT_SECRET: NEW, JWT_PRIVATE_KEY: PRIVATE_PEM },
];
const CALLERS = 6;

interface Instance {
  url: string;
  process: ServiceProcess;
}

/** Two instances behind a balancer that knows which of them serves. */
describe("a change of keys under load", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let environment: Record<string, string>;
  const serving: Instance[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    company = await createCompany(gateway);
    environment = {
      DATABASE_URL: gateway.url,
      DATA_DIR: await makeDataDirectory(),
      RATE_LIMIT: "0",
      LOG_LEVEL: "warn",
    };
  }, 120_000);
  afterAll(async () => {
    await cleanUp();
    await gateway.close();
  }, 60_000);

  async function start(stage: Record<string, string>): Promise<Instance> {
    const service = startService({ ...environment, ...stage, LOG_LEVEL: "info" });
    return { url: await service.ready, process: service };
  }

  /** Takes an instance out of the balancer, stops it and starts it with other keys. */
  async function replace(place: number, stage: Record<string, string>): Promise<void> {
    const [old] = serving.splice(place, 1);
    old?.process.kill("SIGTERM");
    await old?.process.exited;
    serving.splice(place, 0, await start(stage));
  }

  it("refuses nobody: another secret, and ES256 in its place", async () => {
    for (const place of [0, 1]) serving[place] = await start(STAGES[0] as Record<string, string>);
    const refused: string[] = [];
    const algorithms = new Set<string>();
    let answers = 0;
    let isOver = false;

    const send = async (path: string, init: RequestInit): Promise<any> => {
      for (;;) {
        const instance = serving[Math.floor(Math.random() * serving.length)] as Instance;
        let response: Response;
        try {
          response = await fetch(`${instance.url}/api${path}`, init);
        } catch {
          // An instance that ends has refused the connection: the balancer asks another one.
          continue;
        }
        if (response.status === 503) continue;
        answers += 1;
        if (response.status !== 200) refused.push(`${path}: ${response.status} ${await response.text()}`);
        return response.status === 200 ? response.json() : {};
      }
    };
    const post = (path: string, body: object) =>
      send(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    // A token is used for a while, then traded; a login begins anew now and then.
    const call = async (email: string): Promise<void> => {
      while (!isOver) {
        let tokens = await post("/auth/login", { email, password: PASSWORD });
        for (let trade = 0; trade < 4 && !isOver; trade += 1) {
          const [header = ""] = String(tokens.access_token).split(".");
          algorithms.add(JSON.parse(Buffer.from(header, "base64url").toString()).alg);
          const headers = { authorization: `Bearer ${tokens.access_token}` };
          for (let use = 0; use < 5; use += 1) await send("/me", { headers });
          tokens = await post("/auth/refresh", { refresh_token: tokens.refresh_token });
        }
      }
    };
    const accounts = await Promise.all(
      Array.from({ length: CALLERS }, () => createAccount(gateway, company.id)),
    );
    const load = Promise.all(accounts.map(({ email }) => call(email)));
    let before = 0;
    for (const stage of STAGES.slice(1))
      for (const place of [0, 1]) {
        await replace(place, stage);
        // Both serve side by side before the next step.
        while (answers < before + 100 && refused.length === 0)
          await new Promise((resolve) => setTimeout(resolve, 20));
        before = answers;
      }
    isOver = true;
    await load;

    expect(refused).toEqual([]);
    expect([...algorithms].sort()).toEqual(["ES256", "HS256"]);
  }, 300_000);
});
