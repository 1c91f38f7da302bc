import type { AddressInfo } from "node:net";
import type { Client, Gateway } from "../support/gateway.js";

interface Progress {
  readonly done: number;
  readonly total: number | null;
}

/** An event as it came, or a comment. */
export interface Received {
  readonly id?: string;
  readonly event?: string;
  readonly data?: Progress & Readonly<Record<string, unknown>>;
  readonly comment?: true;
}

/** A stream that is being read, as an `EventSource` does. */
export interface Following {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the next event, `null` at the end. Comments and the time to wait are passed over. */
  next(): Promise<Received | null>;
  /** Returns the id behind which an `EventSource` would go on, that of a place without an event, too. */
  lastId(): string | null;
  /** Returns all further events. */
  rest(): Promise<Received[]>;
  /** Goes away without a word. */
  leave(): void;
}

/** Listens on a port of its own choice. */
export async function listen({ app }: Gateway): Promise<string> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

export function follow(
  base: string,
  client: Client,
  { companyId, jobId }: { companyId: number; jobId: string },
  lastEventId?: string,
): Promise<Following> {
  return followPath(base, client, `/companies/${companyId}/jobs/${jobId}/events`, lastEventId);
}

export async function followPath(
  base: string,
  { token }: Client,
  path: string,
  lastEventId?: string,
): Promise<Following> {
  return followUrl(`${base}/api${path}`, token, { last: lastEventId });
}

/** Follows an address that a body may be sent to. */
export async function followUrl(
  url: string,
  token: string | null,
  { last: lastEventId, body }: { last?: string | undefined; body?: object },
): Promise<Following> {
  const going = new AbortController();
  const response = await fetch(url, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: {
      accept: "text/event-stream",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
    signal: going.signal,
  });
  let lastId: string | null = null;
  const events = eventsOf(response, (id) => (lastId = id));
  const next = async (): Promise<Received | null> => {
    const { value, done } = await events.next();
    return done === true ? null : value;
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    lastId: () => lastId,
    rest: async () => {
      const all: Received[] = [];
      for (let event = await next(); event !== null; event = await next()) all.push(event);
      return all;
    },
    leave: () => going.abort(),
  };
}

async function* eventsOf(
  { body, headers }: Response,
  reach: (id: string) => void,
): AsyncGenerator<Received, void> {
  if (body === null || !headers.get("content-type")?.startsWith("text/event-stream")) return;
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event.id !== undefined) reach(event.id);
      if (event.event !== undefined) yield event;
    }
  }
}

function parse(block: string): Received {
  const fields = Object.fromEntries(
    block.split("\n").map((line) => {
      const [name = "", value = ""] = line.split(/: ?(.*)/su);
      return [name, value];
    }),
  );
  const { id, event, data = "" } = fields;
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(data !== "" && { data: JSON.parse(data) as NonNullable<Received["data"]> }),
  };
}
