import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** What is asked for again and again: one path, by the tokens in turn. */
export interface Asking {
  readonly url: string;
  readonly path: string;
  readonly tokens: readonly string[];
}

/** What came of requests that were sent whether or not earlier ones had been answered. */
export interface Overloaded {
  /** Requests in a second that were sent, and that were answered by 200 while others were still sent. */
  readonly sent: number;
  readonly goodput: number;
  /** Of requests that were let in, in milliseconds; and of those that were refused. */
  readonly admittedP99: number;
  readonly refusedP99: number;
  /** How many were answered with each status; 0 stands for those without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
}

const CLOSED_LOOP = 32;
/** So many connections at once are made for refusals, and each waits so long between what it asks. */
const OPEN_CONNECTIONS = 8;
const OPEN_PAUSE_MS = 100;
const REFUSALS: ReadonlySet<number> = new Set([429, 503]);
const TICK_MS = 2;
/** After the last request is sent, answers are waited for that long. */
const PATIENCE_MS = 30_000;
/** A sender without files or ports says nothing of who would answer. */
const OWN_FAULTS: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL"]);
/** `HTTP/1.1 200` */
const STATUS = { from: 9, to: 12 } as const;

interface Sent {
  readonly status: number;
  readonly ms: number;
  /** When it was answered, on the clock of `performance.now()`. */
  readonly at: number;
}

/** Returns how many requests in a second are answered by 200 as fast as the service can. */
export async function capacityOf(asking: Asking, seconds: number): Promise<number> {
  const next = requestsOf(asking);
  const end = performance.now() + seconds * 1_000;
  let answered = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) if ((await send(asking, next())).status === 200) answered += 1;
  };
  await Promise.all(Array.from({ length: CLOSED_LOOP }, work));
  return answered / seconds;
}

/** Sends so many requests in each second. */
export async function overload(asking: Asking, perSecond: number, seconds: number): Promise<Overloaded> {
  const next = requestsOf(asking);
  const answers: Promise<Sent>[] = [];
  const start = performance.now();
  for (let passed = 0; passed < seconds * 1_000; passed = performance.now() - start) {
    while (answers.length < (passed / 1_000) * perSecond) {
      const answer = send(asking, next());
      // What went wrong with the sender is heard of when all are waited for.
      answer.catch(() => undefined);
      answers.push(answer);
    }
    await wait(TICK_MS);
  }
  const end = performance.now();
  const sent = await Promise.all(answers);
  const statuses = new Map<number, number>();
  for (const { status } of sent) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const inTime = sent.filter(({ status, at }) => status === 200 && at <= end);
  return {
    sent: sent.length / seconds,
    goodput: inTime.length / seconds,
    admittedP99: p99(sent.filter(({ status }) => status === 200)),
    refusedP99: p99(sent.filter(({ status }) => REFUSALS.has(status))),
    statuses,
  };
}

/**
 * Returns how long refusals take from when the service may read the request, in milliseconds: it is sent over a connection that was
 * accepted before, which an answer of `/healthz` has shown.
 */
export async function refusalsWhenRead(
  asking: Asking,
  seconds: number,
): Promise<{ p99: number; count: number }> {
  const next = requestsOf(asking);
  const { hostname, port } = new URL(asking.url);
  const end = performance.now() + seconds * 1_000;
  const refused: Sent[] = [];
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      const socket = connect({ host: hostname, port: Number(port) });
      const { status } = await answerOver(socket, `GET /healthz HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
      await wait(OPEN_PAUSE_MS);
      const sent = status === 200 && !socket.destroyed ? await answerOver(socket, next()) : null;
      if (sent !== null && REFUSALS.has(sent.status)) refused.push(sent);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: OPEN_CONNECTIONS }, work));
  return { p99: p99(refused), count: refused.length };
}

/** Sends a request over an open connection. @returns when its answer began; the status is 0 where none came. */
function answerOver(socket: Socket, text: string): Promise<Sent> {
  const since = performance.now();
  return new Promise((resolve) => {
    const done = (status: number): void => {
      socket.off("data", hear).off("close", lose);
      const at = performance.now();
      resolve({ status, ms: at - since, at });
    };
    const hear = (bytes: Buffer): void => done(Number(bytes.toString("latin1", STATUS.from, STATUS.to)));
    const lose = (): void => done(0);
    // An error is followed by the close.
    socket
      .on("data", hear)
      .on("close", lose)
      .on("error", () => undefined);
    socket.write(text);
  });
}

function requestsOf({ url, path, tokens }: Asking): () => string {
  const { host } = new URL(url);
  const texts = tokens.map(
    (token) =>
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  );
  let turn = 0;
  return () => texts[(turn += 1) % texts.length] as string;
}

/**
 * Each request has a connection of its own, as those of many callers have. It is sent by hand: whatever the sender takes of the
 * machine is missing where it is answered.
 */
function send({ url }: Asking, text: string): Promise<Sent> {
  const { hostname, port } = new URL(url);
  const since = performance.now();
  return new Promise((resolve, reject) => {
    let status = 0;
    const socket = connect({ host: hostname, port: Number(port) });
    const done = (isWhole: boolean): void => {
      const at = performance.now();
      resolve({ status: isWhole ? status : 0, ms: at - since, at });
      socket.destroy();
    };
    socket.setTimeout(PATIENCE_MS, () => done(false));
    socket.on("data", (bytes) => {
      if (status === 0) status = Number(bytes.toString("latin1", STATUS.from, STATUS.to));
    });
    socket.once("end", () => done(true));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (OWN_FAULTS.has(error.code)) reject(error);
      else done(false);
    });
    socket.write(text);
  });
}

function p99(sent: readonly Sent[]): number {
  const times = sent.map(({ ms }) => ms).sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}
