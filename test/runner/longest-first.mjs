import { relative } from "node:path";
import TestSequencer from "@jest/test-sequencer";

/**
 * The files that take longest, the longest first, in a run of all tests. Jest knows from the second run on how long each takes,
 * and in the first one begins with the largest files, which these are not: a worker that begins one at the end has the others wait.
 */
const LONGEST = [
  "access/parity",
  "access/bad-input",
  "goods/search/typed-texts",
  "jobs/job-events",
  "access/fuzz",
  "webhooks/webhook-bounds",
  "bounds/leaks",
  "access/sql-statements",
  "access/matrix",
  "rest/table-export",
  "coupons/agreement",
  "lists/counts",
  "data/create-migration",
  "files/decoding",
  "coupons/stats/kept-use-sums",
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const places = new Map(LONGEST.map((name, place) => [`test/${name}.test.ts`, place]));
    const placeOf = ({ path, context }) =>
      places.get(relative(context.config.rootDir, path)) ?? LONGEST.length;
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
