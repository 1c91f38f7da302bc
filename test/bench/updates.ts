import type autocannon from "autocannon";
import pg from "pg";
import { figuresOf, type Figures } from "./figures.js";
import { compare, headersOf, type Rounds, type Side } from "./load.js";
import { startServer, type Server } from "./processes.js";
import { statementsPerRequest } from "./statements.js";

const BARE_PORT = 4217;
/** The number of goods that take turns, so that no two requests at once want the same row. */
const GOODS = 2_000;
/** A change runs through more code than a read, so all of its code is compiled only after this time. */
const WARM_UP_SECONDS = 8;
const UPDATE =
  "mutation ($c: Int!, $id: Int!, $input: UpdateGoodInput!) { updateGood(companyId: $c, id: $id, input: $input) { id priceE2 } }";

interface Given {
  readonly gateway: Server;
  /** The same service on the same database, where no trigger writes the audit trail. */
  readonly unaudited: Server;
  readonly url: string;
  readonly companyId: number;
  readonly token: string;
  readonly rounds: Rounds;
  readonly other: Server | null;
  isChosen(name: string): boolean;
}

export const UPDATES = ["update", "update-audited"] as const;

/**
 * Measures changes of a price: against a bare server that runs one conditional UPDATE, and against the same service
 * without the triggers of the audit trail.
 */
export async function measureUpdates(given: Given): Promise<Figures[]> {
  const { gateway, unaudited, url, companyId, token, rounds, other, isChosen } = given;
  const bare = await startServer(
    [process.execPath, "--import", "tsx", "test/bench/bare-uses.ts", url, String(BARE_PORT)],
    { port: BARE_PORT, path: "/ready" },
  );
  try {
    const ids = await goodsOf(url, companyId);
    const updateGood =
      (server: Server) =>
      (goods: readonly number[]): Side => ({
        ...updating(`${server.url}/graphql`, token, (id, priceE2) => ({
          query: UPDATE,
          variables: { c: companyId, id, input: { priceE2 } },
        }))(goods),
        server,
      });
    const ours = updateGood(gateway);
    const against: Record<(typeof UPDATES)[number], (ids: readonly number[]) => Side> = {
      update:
        other === null
          ? updating(`${bare.url}/update`, null, (id, priceE2) => [companyId, id, priceE2])
          : updateGood(other),
      "update-audited": updateGood(unaudited),
    };
    const figures: Figures[] = [];
    for (const name of UPDATES.filter(isChosen)) {
      const statements = await statementsPerRequest(ours(ids), url);
      figures.push(
        figuresOf(
          name,
          await compare(ours(ids), against[name](ids), {
            ...rounds,
            warmUpSeconds: WARM_UP_SECONDS,
          }),
          statements,
        ),
      );
    }
    return figures;
  } finally {
    await bare.stop();
  }
}

async function goodsOf(url: string, companyId: number): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: number }>(
    "SELECT id FROM goods WHERE company_id = $1 ORDER BY id LIMIT $2",
    [companyId, GOODS],
  );
  await client.end();
  return rows.map(({ id }) => id);
}

/** Returns a side that gives one good after the other another price. */
function updating(
  url: string,
  token: string | null,
  bodyOf: (id: number, priceE2: number) => unknown,
): (ids: readonly number[]) => Side {
  return (ids) => {
    let turn = 0;
    const next = (): string => {
      turn += 1;
      return JSON.stringify(bodyOf(ids[turn % ids.length] as number, 1_000 + (turn % 7_919)));
    };
    const headers = headersOf(token);
    const setupRequest = (request: autocannon.Request): autocannon.Request => ({ ...request, body: next() });
    const requests = [{ method: "POST" as const, headers, setupRequest }];
    const side: Side & { requests: autocannon.Request[] } = {
      url,
      method: "POST",
      headers,
      body: next(),
      requests,
    };
    return side;
  };
}
