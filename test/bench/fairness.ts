import autocannon from "autocannon";
import { createTokenKeys, issueAccessToken, type Principal } from "../../src/core/access/tokens.js";
import type { Figures } from "./figures.js";
import { median, type Rounds } from "./load.js";
import type { Server } from "./processes.js";

/** One company floods the service, the other one asks for a page now and then. */
export const FAIRNESS = ["fair-limit", "fair-many"] as const;
type Name = (typeof FAIRNESS)[number];

/** Requests a second: ten times the limit of a principal unless it is set. */
const FLOOD_RATE = 1_000;
const FLOODERS = 50;
const FLOOD_CONNECTIONS = 64;
const QUIET_PAUSE_MS = 10;
const GOODS = 25;

interface Given {
  /** A service with the usual rate limit, and one whose limit is out of reach. */
  readonly limited: Server;
  readonly unlimited: Server;
  /** Signs the tokens. */
  readonly secret: string;
  readonly rounds: Rounds;
  isChosen(name: string): boolean;
}

/**
 * Measures the 95th percentile of a quiet company's answers while another company floods, relative to the same seconds
 * without the flood: by one principal at ten times its rate limit, and by fifty principals who ask as fast as they are
 * answered.
 */
export async function measureFairness(given: Given): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (const name of FAIRNESS.filter(given.isChosen)) {
    const company = await twoCompanies(given);
    const server = name === "fair-limit" ? given.limited : given.unlimited;
    figures.push(await measure(name, server, company, given.rounds));
  }
  return figures;
}

interface Companies {
  readonly quiet: Member;
  readonly flooders: readonly Member[];
}

/** A client of a company. */
interface Member {
  readonly companyId: number;
  readonly token: string;
}

async function measure(
  name: Name,
  server: Server,
  { quiet, flooders }: Companies,
  { count, seconds }: Rounds,
): Promise<Figures> {
  const alone: number[] = [];
  const ratios: number[] = [];
  const floods: number[] = [];
  await ask(server, quiet, seconds);
  for (let round = 0; round < count; round += 1) {
    const before = await ask(server, quiet, seconds);
    const flood = autocannon({
      ...floodOf(name, server, flooders),
      duration: seconds + 1,
      connections: FLOOD_CONNECTIONS,
      workers: 1,
    });
    const during = await ask(server, quiet, seconds);
    const { "2xx": served, non2xx } = await flood;
    alone.push(before);
    ratios.push(during / before);
    floods.push(served + non2xx);
  }
  const ratio = median(ratios);
  process.stderr.write(
    `${name}: p95 ${median(alone).toFixed(1)} ms alone, ${ratio.toFixed(2)} times that beside a flood of ` +
      `${Math.round(median(floods) / (seconds + 1))} requests/s\n`,
  );
  return {
    name,
    rps: Math.round(median(floods) / (seconds + 1)),
    p99_ms: median(alone),
    ratio: Number(ratio.toFixed(2)),
    sql_per_request: 0,
  };
}

function floodOf(
  name: Name,
  server: Server,
  flooders: readonly Member[],
): Pick<autocannon.Options, "url" | "requests" | "overallRate"> {
  const { companyId } = flooders[0] as Member;
  const path = pathOf(companyId);
  const askers = name === "fair-limit" ? flooders.slice(0, 1) : flooders;
  return {
    url: server.url,
    requests: askers.map(({ token }) => ({ path, headers: { authorization: `Bearer ${token}` } })),
    ...(name === "fair-limit" && { overallRate: FLOOD_RATE }),
  };
}

/** Asks again and again. @returns the 95th percentile of the times, in milliseconds. */
async function ask(server: Server, { companyId, token }: Member, seconds: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    const response = await fetch(server.url + pathOf(companyId), {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.text();
    times.push(performance.now() - start);
    if (!response.ok) throw new Error(`the quiet company was answered ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, QUIET_PAUSE_MS));
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN;
}

const pathOf = (companyId: number): string => `/api/companies/${companyId}/goods?per_page=${GOODS}`;

async function twoCompanies({ unlimited, secret }: Given): Promise<Companies> {
  const keys = createTokenKeys({ secret });
  const platform = await issueAccessToken(keys, { kind: "platform" });
  const post = async <Answer = { id: number }>(path: string, body: object): Promise<Answer> => {
    const response = await fetch(unlimited.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${platform}`, "content-type": "application/json" },
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
