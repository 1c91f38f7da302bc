import { createClient } from "graphql-sse";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../../src/demo/random.js";
import { ask, type Followed } from "./followed.js";

/** A change as a reader has got it. */
export interface Got {
  /** The id of the change; of a webhook that of its message. */
  readonly id: string;
  /** The row, such as `good 7`. */
  readonly row: string;
  /** What became of it, in words that do not depend on the way. */
  readonly what: string;
}

/** Somebody who follows the changes of the company from the same place on. */
export interface Reader {
  readonly name: string;
  /** Whether a change may come again, and changes of different rows in any order. */
  readonly isAtLeastOnce: boolean;
  /** What has come so far, in its order. */
  readonly got: readonly Got[];
  /** Ends the reader. */
  stop(): Promise<void>;
}

/** Starts a reader behind a place in the journal. */
export type StartReader = (followed: Followed, place: string, random: Random) => Promise<Reader>;

/** A change as REST shows it. */
interface Node {
  readonly id: number;
  readonly type: string;
  readonly action: string;
  readonly entity_id: number;
  readonly fields: readonly string[];
  readonly at: string;
}

const AGAIN_MS = 100;
const LIVE_FOR = [1_000, 8_000] as const;
/** Of so many messages one is answered 500, one is answered late, and one not at all. */
const ONE_FAILS = 100;
const ONE_IS_LATE = 60;
const ONE_IS_LOST = 200;
const LATE_MS = 400;

export const wordsOf = (action: string, fields: readonly string[]): string =>
  `${action} ${[...fields].sort().join()}`;

const snakeCased = (type: string): string => type.replace(/(?<=.)(?=[A-Z])/gu, "_").toLowerCase();

export const rowOf = (type: string, id: number | string): string => `${snakeCased(type)} ${id}`;

const gotOf = ({ id, type, action, entity_id: entityId, fields }: Node): Got => ({
  id: String(id),
  row: rowOf(type, entityId),
  what: wordsOf(action, fields),
});

/** Repeats a step until it is stopped. A step that fails is repeated after a while: its instance may have been killed. */
function repeating(step: (signal: AbortSignal) => Promise<boolean>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const hasMore = await step(signal).catch(() => false);
      if (!hasMore) await wait(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const working = work();
  return async () => {
    stopping.abort();
    await working;
  };
}

/** Reads pages over REST, through the instances in turn. */
export const restReader: StartReader = async (followed, place) => {
  const got: Got[] = [];
  let [cursor, turn] = [place, 0];
  const stop = repeating(async (signal) => {
    const path = `/api/companies/${followed.companyId}/changes?per_page=200&cursor=${encodeURIComponent(cursor)}`;
    const response = await ask(followed, (turn += 1), path, { signal });
    if (!response.ok) return false;
    const page = (await response.json()) as Node[];
    const next = /[?&]cursor=(?<cursor>[^&>]+)/u.exec(response.headers.get("link") ?? "")?.groups?.["cursor"];
    cursor = decodeURIComponent(next as string);
    got.push(...page.map(gotOf));
    return page.length > 0;
  });
  return Promise.resolve({ name: "cursor of REST", isAtLeastOnce: false, got, stop });
};

const PAGE = `query ($c: Int!, $after: String) {
  changes(companyId: $c, after: $after, first: 70) {
    nodes { id type action entity_id: entityId fields at } pageInfo { endCursor hasNextPage }
  }
}`;

/** Reads pages over GraphQL, through the instances in turn. */
export const graphqlReader: StartReader = async (followed, place) => {
  const got: Got[] = [];
  let [after, turn] = [place, 1];
  const stop = repeating(async (signal) => {
    const body = { query: PAGE, variables: { c: followed.companyId, after } };
    const response = await ask(followed, (turn += 1), "/graphql", { method: "POST", body, signal });
    const { data } = (await response.json()) as {
      data: { changes: { nodes: Node[]; pageInfo: { endCursor: string; hasNextPage: boolean } } } | null;
    };
    if (data === null) return false;
    const { nodes, pageInfo } = data.changes;
    after = pageInfo.endCursor;
    got.push(...nodes.map((node) => gotOf({ ...node, fields: node.fields.map(snakeCased) })));
    return pageInfo.hasNextPage;
  });
  return Promise.resolve({ name: "cursor of GraphQL", isAtLeastOnce: false, got, stop });
};

/** Reads the stream of events, which breaks off again and again and goes on through the other instance. */
export const streamReader: StartReader = async (followed, place, random) => {
  const got: Got[] = [];
  let [lastId, turn] = [place, 0];
  const stop = repeating(async (stopped) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(random.int(...LIVE_FOR))]);
    const response = await ask(followed, (turn += 1), `/api/companies/${followed.companyId}/changes`, {
      headers: { accept: "text/event-stream", "last-event-id": lastId },
      signal,
    });
    if (!response.ok || response.body === null) return false;
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "mu").exec(event)?.[1];
        const data = field("data");
        if (field("event") === "change" && data !== undefined) got.push(gotOf(JSON.parse(data) as Node));
        lastId = field("id") ?? lastId;
      }
    }
    return true;
  });
  return Promise.resolve({ name: "stream", isAtLeastOnce: false, got, stop });
};

const SUBSCRIPTION = `subscription ($c: Int!, $after: String) {
  changes(companyId: $c, after: $after) { id type action entity_id: entityId fields at cursor }
}`;

/** Subscribes by the published client. The subscription breaks off again and again and goes on through the other instance. */
export const subscriptionReader: StartReader = async (followed, place, random) => {
  const got: Got[] = [];
  let [after, turn] = [place, 1];
  const stop = repeating(async (stopped) => {
    const client = createClient({
      url: `${followed.urls[(turn += 1) % followed.urls.length]}/graphql`,
      headers: { authorization: `Bearer ${await followed.token()}` },
      retryAttempts: 0,
    });
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(random.int(...LIVE_FOR))]);
    signal.addEventListener("abort", () => client.dispose(), { once: true });
    try {
      const variables = { c: followed.companyId, after };
      const answers = client.iterate<{ changes: Node & { cursor: string } }>({
        query: SUBSCRIPTION,
        variables,
      });
      for await (const { data } of answers) {
        if (!data) continue;
        const { cursor, ...node } = data.changes;
        got.push(gotOf({ ...node, fields: node.fields.map(snakeCased) }));
        after = cursor;
      }
    } finally {
      client.dispose();
    }
    return true;
  });
  return Promise.resolve({ name: "subscription", isAtLeastOnce: false, got, stop });
};

interface Message {
  readonly type: string;
  readonly data: { readonly id: number; readonly fields: readonly string[] };
}

/** Takes the messages of a webhook, some of them badly. */
export const webhookReader =
  (port: number): StartReader =>
  async (followed, _place, random) => {
    const got: Got[] = [];
    const take = async (id: string, text: string): Promise<number | null> => {
      if (random.chance(1 / ONE_FAILS)) return 500;
      if (random.chance(1 / ONE_IS_LATE)) await wait(LATE_MS);
      const { type, data } = JSON.parse(text) as Message;
      const [row = "", action = ""] = type.split(".");
      got.push({ id, row: rowOf(row, data.id), what: wordsOf(action, data.fields) });
      return random.chance(1 / ONE_IS_LOST) ? null : 204;
    };
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        void take(String(request.headers["webhook-id"]), Buffer.concat(chunks).toString()).then((status) =>
          status === null ? request.destroy() : response.writeHead(status).end(),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const query =
      "mutation ($c: Int!, $i: CreateWebhookInput!) { createWebhook(companyId: $c, input: $i) { id } }";
    const variables = { c: followed.companyId, i: { url } };
    const made = await ask(followed, 0, "/graphql", { method: "POST", body: { query, variables } });
    const { errors } = (await made.json()) as { errors?: unknown };
    if (errors !== undefined) throw new Error(`no webhook: ${JSON.stringify(errors)}`);
    const stop = () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    };
    return { name: "webhook", isAtLeastOnce: true, got, stop };
  };
