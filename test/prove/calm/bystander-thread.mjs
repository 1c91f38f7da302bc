/**
 * Asks a cheap list every 50 ms, whether or not earlier answers have come, and notes how long each takes. It is a
 * thread of its own, so that the requests of the proof do not slow it down. A message asks for the longest wait since
 * the last one, of requests that still wait as well.
 */
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const EVERY_MS = 50;
const { url, token } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const waiting = new Map();
let turn = 0;
let longest = 0;
let refused = 0;
let times = [];
let due = performance.now() + EVERY_MS;
let late = 0;

function ask() {
  // A timer of this idle thread is late only when the machine is too busy.
  late = Math.max(late, performance.now() - due);
  due = performance.now() + EVERY_MS;
  const id = (turn += 1);
  waiting.set(id, performance.now());
  const done = (isAnswered) => {
    if (!waiting.has(id)) return;
    const time = performance.now() - waiting.get(id);
    longest = Math.max(longest, time);
    times.push(time);
    waiting.delete(id);
    if (!isAnswered) refused += 1;
  };
  get(url, { agent, headers: token === null ? {} : { authorization: `Bearer ${token}` } }, (response) => {
    response.resume();
    response.on("end", () => done(response.statusCode === 200));
    response.on("error", () => done(false));
  }).on("error", () => done(false));
}

const timer = setInterval(ask, EVERY_MS);
parentPort.on("message", (message) => {
  if (message === "stop") {
    clearInterval(timer);
    agent.destroy();
    parentPort.close();
    return;
  }
  const now = performance.now();
  for (const since of waiting.values()) {
    longest = Math.max(longest, now - since);
    times.push(now - since);
  }
  times.sort((one, other) => one - other);
  const exceededBy = (share) => times[Math.floor(times.length * (1 - share))] ?? 0;
  parentPort.postMessage({
    longest,
    p50: exceededBy(0.5),
    p95: exceededBy(0.05),
    refused,
    late,
  });
  longest = 0;
  times = [];
  late = 0;
  refused = 0;
});
