import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Requests that are sent whether or not earlier ones have been answered. */
interface Overload {
  /** Requests in a second that are answered by 200 as fast as the service can, and while five times as many are sent. */
  readonly capacity: number;
  readonly goodput: number;
  /** Of requests that were let in, in milliseconds; and of those that were refused. */
  readonly admittedP99: number;
  readonly refusedP99: number;
  /** How many were answered with each status; 0 stands for those without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
}

const CLOSED_LOOP = 32;
const TIMES_CAPACITY = 5;
const TICK_MS = 5;
/** After the last request is sent, answers are waited for that long. */
const PATIENCE_MS = 30_000;

interface Sent {
  readonly status: number;
  readonly ms: number;
}

/** Finds out how much the service answers, and then sends five times as much. @param next names the next URL and its token. */
export async function overload(
  next: () => { readonly url: string; readonly token: string },
  seconds: number,
): Promise<Overload> {
  const capacity = await closedLoop(next, seconds);
  const sent = await openLoop(next, TIMES_CAPACITY * capacity, seconds);
  const statuses = new Map<number, number>();
  for (const { status } of sent) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return {
    capacity,
    goodput: (statuses.get(200) ?? 0) / seconds,
    admittedP99: p99(sent.filter(({ status }) => status === 200)),
    refusedP99: p99(sent.filter(({ status }) => status === 429 || status === 503)),
    statuses,
  };
}

async function closedLoop(
  next: () => { readonly url: string; readonly token: string },
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let answered = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) if ((await send(next())).status === 200) answered += 1;
  };
  await Promise.all(Array.from({ length: CLOSED_LOOP }, work));
  return answered / seconds;
}

async function openLoop(
  next: () => { readonly url: string; readonly token: string },
  perSecond: number,
  seconds: number,
): Promise<readonly Sent[]> {
  const answers: Promise<Sent>[] = [];
  const start = performance.now();
  for (let passed = 0; passed < seconds * 1_000; passed = performance.now() - start) {
    while (answers.length < (passed / 1_000) * perSecond) answers.push(send(next()));
    await wait(TICK_MS);
  }
  return Promise.all(answers);
}

/** Each request has a connection of its own, as those of many callers have. */
function send({ url, token }: { readonly url: string; readonly token: string }): Promise<Sent> {
  const since = performance.now();
  return new Promise((resolve) => {
    const done = (status: number): void => resolve({ status, ms: performance.now() - since });
    const headers = { authorization: `Bearer ${token}` };
    const sent = get(url, { headers, agent: false, timeout: PATIENCE_MS }, (response) => {
      response.resume();
      response.on("end", () => done(response.statusCode ?? 0));
      response.on("error", () => done(0));
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => done(0));
  });
}

function p99(sent: readonly Sent[]): number {
  const times = sent.map(({ ms }) => ms).sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}
