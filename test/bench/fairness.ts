import autocannon from "autocannon";
import { createTokenKeys, issueAccessToken, type Principal } from "../../src/core/access/tokens.js";
import type { Figures } from "./figures.js";
import { median, type Rounds } from "./load.js";
import type { Server } from "./processes.js";

/**
 * One company floods the service while another one asks for a page now and then: by one principal at ten times its rate
 * limit, and by fifty principals who ask as fast as they are answered.
 */
export const FAIRNESS = ["fair-limit", "fair-many"] as const;
type Name = (typeof FAIRNESS)[number];

/** Requests a minute; the quiet company stays below. */
export const LIMIT = 3_000;
const TIMES_THE_LIMIT = 10;
const FLOODERS = 50;
const FLOOD_CONNECTIONS = 64;
const QUIET_PAUSE_MS = 30;
const GOODS = 25;
const WARM_UP_SECONDS = 60 / TIMES_THE_LIMIT + 1;

interface Given {
  /** A service with the limit, and two whose limit is out of reach. */
  readonly limited: Server;
  readonly unlimited: Server;
  readonly another: Server;
  /** Signs the tokens. */
  readonly secret: string;
  readonly rounds: Rounds;
  isChosen(name: string): boolean;
}

/**
 * Measures the 95th percentile of the quiet company's answers during a flood. For the flood at ten times the limit it is
 * relative to the seconds before; for the other one to the same flood at another process, which takes as much of the
 * machine and the database, but nothing of the process that answers.
 */
export async function measureFairness(given: Given): Promise<Figures[]> {
  const { limited, unlimited, another, rounds } = given;
  const figures: Figures[] = [];
  for (const name of FAIRNESS.filter(given.isChosen)) {
    const { quiet, flooders } = await twoCompanies(given);
    const [server, flood, elsewhere] =
      name === "fair-limit"
        ? [limited, floodAtRate(limited, flooders), null]
        : [
            unlimited,
            floodAtWill(unlimited, flooders, rounds.seconds),
            floodAtWill(another, flooders, rounds.seconds),
          ];
    figures.push(await measure(name, { server, quiet, flood, elsewhere }, rounds));
  }
  return figures;
}

/** Begins a flood. @returns a function that ends it and returns how many requests were answered. */
type Flood = () => () => Promise<number>;

/** A client of a company. */
interface Member {
  readonly companyId: number;
  readonly token: string;
}

interface Neighbours {
  readonly server: Server;
  readonly quiet: Member;
  readonly flood: Flood;
  /** The flood that the quiet company's times are relative to; `null` for none. */
  readonly elsewhere: Flood | null;
}

async function measure(
  name: Name,
  { server, quiet, flood, elsewhere }: Neighbours,
  { count, seconds }: Rounds,
): Promise<Figures> {
  const rounds: { before: number; during: number; floodRate: number }[] = [];
  // The flood uses up its limit before anything is measured.
  const end = flood();
  await ask(server, quiet, WARM_UP_SECONDS);
  await end();
  for (let round = 0; round < count; round += 1) {
    const endElsewhere = elsewhere?.();
    const before = await ask(server, quiet, seconds);
    await endElsewhere?.();
    const end = flood();
    const during = await ask(server, quiet, seconds);
    rounds.push({ before, during, floodRate: (await end()) / seconds });
  }
  const ratio = median(rounds.map(({ before, during }) => during / before));
  const p95Ms = median(rounds.map(({ during }) => during));
  const rps = Math.round(median(rounds.map(({ floodRate }) => floodRate)));
  process.stderr.write(
    `${name}: p95 ${p95Ms.toFixed(1)} ms beside ${rps} requests/s, ${ratio.toFixed(2)} times\n`,
  );
  return { name, rps, p99_ms: Number(p95Ms.toFixed(1)), ratio: Number(ratio.toFixed(2)), sql_per_request: 0 };
}

/** One principal asks evenly. */
function floodAtRate(server: Server, [member]: readonly Member[]): Flood {
  const { companyId, token } = member as Member;
  const send = async (): Promise<void> => {
    const response = await fetch(server.url + pathOf(companyId), { headers: bearer(token) });
    await response.text();
  };
  return () => {
    const sent: Promise<void>[] = [];
    const timer = setInterval(() => sent.push(send()), 60_000 / LIMIT / TIMES_THE_LIMIT);
    return async () => {
      clearInterval(timer);
      await Promise.all(sent);
      return sent.length;
    };
  };
}

/** Many principals ask again as soon as they are answered, for these seconds. */
function floodAtWill(server: Server, members: readonly Member[], seconds: number): Flood {
  return () => {
    const flood = autocannon({
      url: server.url,
      requests: members.map(({ companyId, token }) => ({ path: pathOf(companyId), headers: bearer(token) })),
      connections: FLOOD_CONNECTIONS,
      duration: seconds,
      workers: 1,
    });
    return async () => {
      const { "2xx": served, non2xx } = await flood;
      return served + non2xx;
    };
  };
}

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** Asks again and again. @returns the 95th percentile of the times, in milliseconds. */
async function ask(server: Server, { companyId, token }: Member, seconds: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    const response = await fetch(server.url + pathOf(companyId), { headers: bearer(token) });
    await response.text();
    times.push(performance.now() - start);
    if (!response.ok) throw new Error(`the quiet company was answered ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, QUIET_PAUSE_MS));
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN;
}

const pathOf = (companyId: number): string => `/api/companies/${companyId}/goods?per_page=${GOODS}&cursor=`;

async function twoCompanies({ unlimited, secret }: Given): Promise<{ quiet: Member; flooders: Member[] }> {
  const keys = createTokenKeys({ secret });
  const platform = await issueAccessToken(keys, { kind: "platform" });
  const post = async <Answer = { id: number }>(path: string, body: object): Promise<Answer> => {
    const response = await fetch(unlimited.url + path, {
      method: "POST",
      headers: { ...bearer(platform), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const companyOf = async (members: number): Promise<Member[]> => {
    const name = `bench-${Date.now()}`;
    const person = { name, email: `${name}@example.com` };
    const { id: companyId } = await post("/api/companies", {
      company: { ...person, domain: `${name}.example.com`, folder_name: name },
      user: { ...person, phone: "+15550000001" },
    });
    for (let good = 0; good < GOODS; good += 1) {
      await post(`/api/companies/${companyId}/goods`, {
        name: `Good ${good}`,
        short_details: "Good",
        details: "Good",
        price_e2: 100,
        type: 0,
      });
    }
    return Promise.all(
      Array.from({ length: members }, async (_, index) => {
        const { data } = await post<{ data: { client: { id: number } } }>("/graphql", {
          query:
            "mutation ($c: Int!, $name: String!) { client: createClient(companyId: $c, input: { name: $name }) { id } }",
          variables: { c: companyId, name: `Client ${index}` },
        });
        const principal: Principal = { kind: "client", id: data.client.id, companyId };
        return { companyId, token: await issueAccessToken(keys, principal) };
      }),
    );
  };
  const [quiet] = await companyOf(1);
  return { quiet: quiet as Member, flooders: await companyOf(FLOODERS) };
}
