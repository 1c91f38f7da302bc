import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type autocannon from "autocannon";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import type { Script, ScriptValue } from "./bare-writes.js";
import { figuresOf, type Figures } from "./figures.js";
import { compare, headersOf, type Rounds, type Side } from "./load.js";
import { startServer, type Server } from "./processes.js";
import { SECRET } from "./secret.js";
import { SeenStatements, type SeenStatement } from "./seen-statements.js";

const BARE_PORT = 4219;
/** The number of rows that take turns, so that no two requests at once want the same one. */
const ROWS = 2_000;
/** A change runs through more code than a read, so all of its code is compiled only after this time. */
const WARM_UP_SECONDS = 6;
/** The statements of a request are those of most of so many, once the service remembers what it remembers. */
const SEEN_BEFORE = 20;
const SEEN = 9;

/** A kind of change. */
interface Write {
  readonly name: string;
  readonly document: string;
  /** Returns the variables of the `turn`th request. */
  readonly variables: (rows: Rows, turn: number) => Record<string, unknown>;
  /** Whether the client of the turn asks for it itself; by default the owner of the company does. */
  readonly isOfClient?: boolean;
}

/** Returns the token of whoever asks for a change in a turn. */
type TokenOf = (kind: Write, turn: number) => string;

/** What the changes are about. */
interface Rows {
  readonly companyId: number;
  readonly ownerId: number;
  readonly goods: readonly number[];
  readonly carts: readonly number[];
  readonly clients: readonly number[];
}

const at = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T;
/** Numbers and texts that stand in no other place of a statement. */
const price = (turn: number): number => 1_000_000 + (turn % 800_000);
const named = (turn: number): string => `Written ${price(turn)}`;

const KINDS: readonly Write[] = [
  {
    name: "write-update-good",
    document:
      "mutation ($c: Int!, $id: Int!, $input: UpdateGoodInput!) { updateGood(companyId: $c, id: $id, input: $input) { id priceE2 } }",
    variables: ({ companyId, goods }, turn) => ({
      c: companyId,
      id: at(goods, turn),
      input: { priceE2: price(turn) },
    }),
  },
  {
    name: "write-create-good",
    document:
      "mutation ($c: Int!, $input: CreateGoodInput!) { createGood(companyId: $c, input: $input) { id name priceE2 } }",
    variables: ({ companyId }, turn) => ({
      c: companyId,
      input: {
        name: named(turn),
        shortDetails: "Maize",
        details: "Of maize.",
        priceE2: price(turn),
        type: 0,
      },
    }),
  },
  {
    name: "write-cart-item",
    document:
      "mutation ($c: Int!, $cart: Int!, $input: CreateCartItemInput!) { createCartItem(companyId: $c, cartId: $cart, input: $input) { id quantity } }",
    variables: ({ companyId, carts, goods }, turn) => ({
      c: companyId,
      cart: at(carts, turn),
      input: { goodId: at(goods, turn), quantity: 2 },
    }),
  },
  {
    name: "write-address",
    document:
      "mutation ($c: Int!, $client: Int!, $input: CreateClientAddressInput!) { createClientAddress(companyId: $c, clientId: $client, input: $input) { id name } }",
    variables: ({ companyId, clients }, turn) => ({
      c: companyId,
      client: at(clients, turn),
      input: { name: named(turn), address: `Street ${price(turn)}` },
    }),
    isOfClient: true,
  },
  {
    name: "write-options",
    document:
      "mutation ($c: Int!, $input: PropertyInput!) { createProperty(companyId: $c, input: $input) { id name propertyOptions { id name } } }",
    variables: ({ companyId }, turn) => ({
      c: companyId,
      input: {
        name: named(turn),
        isTypeOptions: true,
        propertyOptions: [1, 2, 3].map((n) => ({ name: `Option ${n}`, priceE2: n })),
      },
    }),
  },
];

const KEY = "-key";
export const WRITES = KINDS.flatMap(({ name }) => [name, `${name}${KEY}`]);

interface Given {
  readonly gateway: Server;
  readonly url: string;
  readonly rounds: Rounds;
  /** Starts one more service on a database, which the caller stops. */
  readonly startGateway: (database: string) => Promise<Server>;
  isChosen(name: string): boolean;
}

/**
 * Measures changes: without a key against a bare server that sends the very statements that the service was seen to send, in
 * the same transactions; with an `Idempotency-Key` against the same change without one.
 */
export async function measureWrites(given: Given): Promise<Figures[]> {
  const { gateway, url, rounds, isChosen } = given;
  const kinds = KINDS.filter(({ name }) => isChosen(name) || isChosen(`${name}${KEY}`));
  const rows = await prepareRows(url);
  const { companyId, ownerId } = rows;
  const keys = createTokenKeys({ secret: SECRET });
  const owner = await issueAccessToken(keys, { kind: "admin", id: ownerId, companyId });
  const clients = await Promise.all(
    rows.clients.map((id) => issueAccessToken(keys, { kind: "client", id, companyId })),
  );
  const tokenOf: TokenOf = ({ isOfClient }, turn) => (isOfClient === true ? at(clients, turn) : owner);
  const scripts = await seenScripts(kinds, rows, tokenOf, given);
  const folder = mkdtempSync(join(tmpdir(), "bench-writes-"));
  const file = join(folder, "scripts.json");
  writeFileSync(file, JSON.stringify(scripts));
  const bare = await startServer(
    [process.execPath, "--import", "tsx", "test/bench/bare-writes.ts", url, String(BARE_PORT), file],
    { port: BARE_PORT, path: "/ready" },
  );
  const warm = { ...rounds, warmUpSeconds: WARM_UP_SECONDS };
  try {
    const figures: Figures[] = [];
    for (const kind of kinds) {
      const { name } = kind;
      const script = scripts[name] ?? [];
      const token = (turn: number): string => tokenOf(kind, turn);
      const ours = ofService(gateway, token, (turn) => bodyOf(kind, rows, turn));
      const theirs = ofMany(bare, `${bare.url}/${name}`, {}, (turn) => givenOf(kind, rows, turn));
      const keyed = ofService(gateway, token, (turn) => bodyOf(kind, rows, turn), { hasKeys: true });
      if (isChosen(name)) figures.push(figuresOf(name, await compare(ours, theirs, warm), script.length));
      if (isChosen(`${name}${KEY}`))
        figures.push(figuresOf(`${name}${KEY}`, await compare(keyed, ours, warm), null));
    }
    return figures;
  } finally {
    await bare.stop();
    rmSync(folder, { recursive: true });
  }
}

function bodyOf({ document, variables }: Write, rows: Rows, turn: number): unknown {
  return { query: document, variables: variables(rows, turn) };
}

/** Returns the values that tell one request from another, as texts. */
function givenOf({ variables }: Write, rows: Rows, turn: number): string[] {
  const { input, ...ids } = variables(rows, turn) as { input: Record<string, unknown> };
  return [...Object.values(ids), ...Object.values(input).filter((value) => typeof value !== "object")].map(
    String,
  );
}

/** Has a service send its statements by way of a watcher. */
async function seenScripts(
  kinds: readonly Write[],
  rows: Rows,
  tokenOf: TokenOf,
  { url, startGateway }: Given,
): Promise<Record<string, Script>> {
  const statements = await SeenStatements.before(url);
  const watched = await startGateway(statements.url);
  try {
    const scripts: Record<string, Script> = {};
    for (const kind of kinds) {
      const runs: { seen: SeenStatement[]; given: string[] }[] = [];
      for (let number = 0; number < SEEN_BEFORE + SEEN; number += 1) {
        // The first request of a client takes a part of its rate limit, which serves the next ones: two clients take turns.
        const turn = kind.isOfClient === true ? number * ROWS + (number % 2) : number;
        statements.take();
        const body = JSON.stringify(bodyOf(kind, rows, turn));
        const answer = await fetch(`${watched.url}/graphql`, {
          method: "POST",
          headers: headersOf(tokenOf(kind, turn)),
          body,
        });
        const text = await answer.text();
        if (text.includes('"errors"')) throw new Error(`${kind.name}: ${text.slice(0, 500)}`);
        if (number >= SEEN_BEFORE) runs.push({ seen: statements.take(), given: givenOf(kind, rows, turn) });
      }
      scripts[kind.name] = scriptOf(runs);
    }
    return scripts;
  } finally {
    await watched.stop();
    await statements.close();
  }
}

/** Returns what most of the runs have in common: what else came in between, such as a look at roles, is left out. */
function scriptOf(runs: readonly { seen: SeenStatement[]; given: string[] }[]): Script {
  const byTexts = new Map<string, (typeof runs)[number][]>();
  for (const run of runs) {
    const key = run.seen.map(({ text }) => text).join("\n");
    byTexts.set(key, [...(byTexts.get(key) ?? []), run]);
  }
  const [alike = []] = [...byTexts.values()].sort((a, b) => b.length - a.length);
  const [one, other] = alike;
  if (one === undefined || other === undefined) throw new Error("no two requests send the same statements");
  return one.seen.map(({ text, values }, index) => ({
    text,
    values: values.map((value, place): ScriptValue => {
      const otherValue = other.seen[index]?.values[place] ?? null;
      if (value === otherValue || value === null) return { constant: value };
      const given = one.given.indexOf(value);
      if (given >= 0) return { given };
      // A moment or the name of a request is as good as any other.
      return /^\d+$/u.test(value) ? { answeredId: true } : { constant: value };
    }),
  }));
}

function ofService(
  server: Server,
  token: (turn: number) => string,
  body: (turn: number) => unknown,
  { hasKeys = false } = {},
): Side {
  const headers = (turn: number): Record<string, string> => ({
    ...headersOf(token(turn)),
    ...(hasKeys && { "idempotency-key": randomUUID() }),
  });
  return ofMany(server, `${server.url}/graphql`, headersOf(token(0)), body, headers);
}

/** A side whose requests differ from one another; `headersOfOne` makes the headers of each. */
function ofMany(
  server: Server,
  url: string,
  headers: Record<string, string>,
  body: (turn: number) => unknown,
  headersOfOne: (turn: number) => Record<string, string> = () => headers,
): Side {
  let turn = SEEN_BEFORE + SEEN;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    turn += 1;
    return { ...request, headers: headersOfOne(turn), body: JSON.stringify(body(turn)) };
  };
  const requests = [{ method: "POST" as const, headers, setupRequest }];
  const side: Side & { requests: autocannon.Request[] } = {
    url,
    method: "POST",
    headers,
    body: JSON.stringify(body(turn)),
    requests,
    server,
  };
  return side;
}

/** Makes a company with the rows that the changes are about. */
async function prepareRows(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const ids = async (text: string, values: unknown[]): Promise<number[]> =>
      (await client.query<{ id: number }>(text, values)).rows.map(({ id }) => id);
    const tag = randomUUID().slice(0, 8);
    const [companyId = 0] = await ids(
      `INSERT INTO companies (name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso, updated_at)
       VALUES ($1, $2, $3, now() + interval '10 years', $1, '{}', '{}', 'en', 'US', now()) RETURNING id`,
      [`writes-${tag}`, `${tag}@bench.example`, `${tag}.bench.example`],
    );
    const [ownerId = 0] = await ids(
      `INSERT INTO admins (company_id, name, email, phone, is_owner, is_full_admin, updated_at)
       VALUES ($1, 'Owner', $2, '+31105550100', true, true, now()) RETURNING id`,
      [companyId, `owner@${tag}.bench.example`],
    );
    const goods = await ids(
      `INSERT INTO goods (company_id, name, short_details, details, price_e2, type, updated_at)
       SELECT $1, 'Good ' || n, 'a', 'a', 100 + n, 0, now() FROM generate_series(1, $2::int) AS n RETURNING id`,
      [companyId, ROWS],
    );
    const carts = await ids(
      "INSERT INTO carts (company_id, updated_at) SELECT $1, now() FROM generate_series(1, $2::int) RETURNING id",
      [companyId, ROWS],
    );
    const clients = await ids(
      `INSERT INTO clients (company_id, name, updated_at) SELECT $1, 'Client ' || n, now() FROM generate_series(1, $2::int) AS n RETURNING id`,
      [companyId, ROWS],
    );
    // The first address of a client becomes its selected one, which is another work than that of those behind it.
    await client.query(
      "INSERT INTO client_addresses (company_id, client_id, name, address, is_selected) SELECT $1, id, 'First', 'Street', true FROM unnest($2::int[]) AS id",
      [companyId, clients],
    );
    await client.query("ANALYZE goods, carts, clients, client_addresses");
    return { companyId, ownerId, goods, carts, clients };
  } finally {
    await client.end();
  }
}
