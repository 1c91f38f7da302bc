import type { Figures } from "./figures.js";
import { median, type Side } from "./load.js";

const REQUESTS = 300;
const WARM_UP = 50;

/** Each document exceeds another limit. The number makes every text a new one, so that no remembered text counts. */
const OVER_THE_LIMIT: readonly ((companyId: number, number: number) => string)[] = [
  (companyId, number) => `query Costly${number} {
    goods(companyId: ${companyId}, first: 200) { nodes { categories { children { children { children { id } } } } } } }`,
  (companyId, number) => `query Deep${number} { goods(companyId: ${companyId}) { nodes {
    ${"properties { property { propertyOptions { property { ".repeat(6)} id ${" } } } }".repeat(6)} } } }`,
  (companyId, number) => `query Aliases${number} {
    ${Array.from({ length: 300 }, (_, index) => `a${index}: good(companyId: ${companyId}, id: ${index}) { id name }`).join(" ")} }`,
  (companyId, number) => `query Tokens${number} {
    goods(companyId: ${companyId}) { nodes { ${"id name ".repeat(20_000)} } } }`,
];

/**
 * Measures how long the gateway takes to refuse documents over a limit, one after another.
 *
 * @throws Error when the gateway runs one of them.
 */
export async function measureRefusals(
  gateway: Side,
  companyId: number,
): Promise<Figures & { mean_ms: number }> {
  const times: number[] = [];
  for (let number = 0; number < WARM_UP + REQUESTS; number += 1) {
    const document = OVER_THE_LIMIT[number % OVER_THE_LIMIT.length];
    const body = JSON.stringify({ query: document?.(companyId, number) });
    const start = performance.now();
    const response = await fetch(gateway.url, { method: "POST", headers: gateway.headers, body });
    const text = await response.text();
    if (number >= WARM_UP) times.push(performance.now() - start);
    if (response.status !== 400 || !/"rule":"(?:cost|depth|aliases|tokens)"/u.test(text))
      throw new Error(`not refused: ${text.slice(0, 500)}`);
  }
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const slowest = [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
  return {
    name: "refused",
    rps: Math.round(1000 / median(times)),
    p99_ms: Number(slowest.toFixed(1)),
    ratio: null,
    sql_per_request: 0,
    mean_ms: Number(mean.toFixed(2)),
  };
}
