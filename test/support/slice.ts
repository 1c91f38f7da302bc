import { existsSync } from "node:fs";
import { getMetadataStorage } from "type-graphql";
import type { Operation } from "../../src/engine/schema/operation.js";
import { sharedSchema } from "./schema.js";

/** The one slice that this run is about, `null` for all of them: `npm test -- --slice NAME` sets it. */
const SLICE = process.env["TEST_SLICE"] ?? null;

const named = SLICE === null ? null : await operationsNamed(SLICE);

/** Returns whether the operation has to be tested in this run. */
export function isAsked({ name }: Pick<Operation, "name">): boolean {
  return named === null || named.has(name);
}

/** Declares a test of what is true of all slices together; a run for one of them tests that there is something to test. */
export function itOfAll(name: string, test: () => void): void {
  if (named === null) it(name, test);
  else it(`has operations of ${SLICE}`, () => expect(named.size).toBeGreaterThan(0));
}

/** Returns the names of the operations that the resolvers of a slice have. */
async function operationsNamed(slice: string): Promise<ReadonlySet<string>> {
  const file = new URL(`../../src/slices/${slice}/${slice}.resolvers.ts`, import.meta.url);
  if (!existsSync(file)) throw new Error(`--slice ${slice}: there is no ${file.pathname}`);
  // TypeGraphQL knows the operations of a class after the schema has been built.
  sharedSchema();
  const lists = Object.values((await import(file.href)) as Record<string, readonly unknown[]>);
  const classes = new Set(lists.flat());
  const { queries, mutations } = getMetadataStorage();
  return new Set(
    [...queries, ...mutations]
      .filter(({ target }) => classes.has(target))
      .map(({ schemaName }) => schemaName),
  );
}
