import type { Figures } from "./figures.js";
import { byTurns, compare, type Rounds, type Side, type SideByTurns } from "./load.js";
import { statementsPerRequest } from "./statements.js";
import type { Dataset } from "./workloads.js";

/**
 * Against the workload `one`: the same good, but with other fields each time, or without prepared statements.
 * Documents that differ cost time of their own, so the first is compared with as many documents that all select the
 * same fields.
 */
export const AGAINST_HOT = ["selections", "unprepared"] as const;

const SELECTIONS = 2_000;
/** Time to run each document ten times and more: a new one is interpreted at first. */
const WARM_UP_SECONDS = 12;
const AT_ONCE = 16;
/** Few enough that the room for documents holds all of both sides; `id` is one of them. */
const FIELDS_EACH = 5;
const FIELDS =
  "name shortDetails priceE2 sku type unit maxQuantity keywords createdAt updatedAt label limitType goodTypeId branchGroupId eta etaConfigId notesEnabled providerFeePrc ratingCount ratingSum weight barcodes".split(
    " ",
  );

interface Given {
  readonly hot: Side;
  /** The same request to a gateway that prepares nothing. */
  readonly unprepared: Side;
  readonly dataset: Dataset;
  /** Of the database that both use. */
  readonly url: string;
  readonly rounds: Rounds;
  isChosen(name: string): boolean;
}

/** Each figure's ratio is relative to the hot workload in the same rounds. */
export async function measureAgainstHot({
  hot,
  unprepared,
  dataset,
  url,
  rounds,
  isChosen,
}: Given): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (const name of AGAINST_HOT.filter(isChosen)) {
    const [ours, theirs] =
      name === "selections"
        ? [withBodies(hot, selectionBodies(dataset)), withBodies(hot, namedBodies(dataset))]
        : [byTurns([unprepared]), byTurns([hot])];
    await assertAnswers(ours);
    await assertAnswers(theirs);
    const statements = await statementsPerRequest(ours.next, url);
    const { rps, p99Ms, ratio } = await compare(ours, theirs, { ...rounds, warmUpSeconds: WARM_UP_SECONDS });
    process.stderr.write(`${name}: the hot workload is ${(1 / ratio).toFixed(2)} times as fast\n`);
    figures.push({ name, rps, p99_ms: p99Ms, ratio: Number(ratio.toFixed(2)), sql_per_request: statements });
  }
  return figures;
}

const withBodies = (side: Side, bodies: readonly string[]): SideByTurns =>
  byTurns(bodies.map((body) => ({ ...side, body })));

const bodyOf = (name: string, selection: string, { companyId, goodId }: Dataset): string =>
  JSON.stringify({
    query: `query ${name}($c: Int!, $id: Int!) { good(companyId: $c, id: $id) { id ${selection} } }`,
    variables: { c: companyId, id: goodId },
  });

/** Requests that all select the same fields, under a name of their own each. */
function namedBodies(dataset: Dataset): string[] {
  const selection = FIELDS.slice(0, FIELDS_EACH - 1).join(" ");
  return Array.from({ length: SELECTIONS }, (_, index) => bodyOf(`One${index}`, selection, dataset));
}

/** Requests for one good whose fields differ from one another. */
function selectionBodies(dataset: Dataset): string[] {
  const selections = new Set<string>();
  for (let seed = 1; selections.size < SELECTIONS; seed += 1) selections.add(someFields(seed));
  return [...selections].map((selection) => bodyOf("One", selection, dataset));
}

/** The same for the same seed, in the order of the list, so that texts differ only by their fields. */
function someFields(seed: number): string {
  const left = [...FIELDS];
  let state = seed;
  while (left.length > FIELDS_EACH - 1) {
    state = (state * 48_271) % 2_147_483_647;
    left.splice(state % left.length, 1);
  }
  return left.join(" ");
}

/** Asks for each once. @throws Error unless all are answered well. */
async function assertAnswers({ sides, next }: SideByTurns): Promise<void> {
  for (let sent = 0; sent < sides.length; sent += AT_ONCE) {
    const texts = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const { url, ...init } = next();
        return (await fetch(url, init)).text();
      }),
    );
    const refused = texts.find((text) => text.includes('"errors"'));
    if (refused !== undefined) throw new Error(refused.slice(0, 500));
  }
}
