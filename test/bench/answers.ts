import type { Side } from "./load.js";

/** The answers of the two sides may differ this much by their protocols: names of keys, spaces. */
const MOST_BYTES_APART = 0.25;

/**
 * Compares the answers of two sides, since a comparison of servers that answer different things is worth nothing.
 *
 * @throws Error unless both answer without errors, with the same ids and about as many bytes.
 */
export async function assertSameAnswers(ours: Side, theirs: Side): Promise<void> {
  const [own, bare] = [await answer(ours), await answer(theirs)];
  const [ownIds, bareIds] = [ids(own), ids(bare)];
  if (bareIds.length === 0 || ownIds.join() !== bareIds.join()) {
    throw new Error(
      `${ours.url} answers ${ownIds.length} objects, ${theirs.url} ${bareIds.length}, or others`,
    );
  }
  const apart = Math.abs(own.length - bare.length) / bare.length;
  if (apart > MOST_BYTES_APART)
    throw new Error(`${ours.url} answers ${own.length} bytes, ${theirs.url} ${bare.length}`);
}

async function answer({ url, ...init }: Side): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${url}: ${text.slice(0, 500)}`);
  // What a request costs is told beside what it asks for.
  return JSON.stringify(
    JSON.parse(text, (key, value: unknown) => (key === "extensions" ? undefined : value)),
  );
}

/** Returns the ids of all objects, in an order that does not depend on the order of keys. */
function ids(json: string): string[] {
  return (json.match(/"id":\d+/gu) ?? []).sort();
}
