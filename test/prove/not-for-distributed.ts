/** Tests that cannot hold on a distributed database, whatever the service does there. */
export interface Mark {
  /** Why they cannot. */
  readonly why: string;
  /** The file of the tests. */
  readonly file: string;
  /** Their full names. */
  readonly names: readonly string[];
}

const ONE_ROLE = "workers serve a transaction by one role alone";
const DOMAINS_BY_LOCK =
  "no worker sees the companies of another, so that a lock of the service keeps domains apart in the place of unique indexes";

/**
 * All marks. A failure that a company would feel is none: it stays red, and is written down in `src/process/README.md`. A marked test
 * that passes is a mark too many, which `npm run prove:citus` refuses.
 */
export const NOT_FOR_DISTRIBUTED: readonly Mark[] = [
  {
    why: "rows of several companies are on several workers, and are not read by one statement there",
    file: "test/reads/rows-together.test.ts",
    names: [
      "a row that is wanted alone is read at once after a round of the event loop in which nobody else asked",
      "rows that are wanted within the same turn are read by one statement, of whichever companies they are",
      "rows that are wanted within the same turn are those of their asker's company alone",
      "rows that are wanted within the same turn are more than one statement takes: then several take them, and none is lost",
      "rows that are wanted within the same turn are read one by one when the server refuses them together",
    ],
  },
  {
    why: "the service of a distributed database connects as the role that owns the tables, and the test as one that does not",
    file: "test/releases/upgrade.test.ts",
    names: [
      "the database of the last release was made by migrations that nobody has changed since",
      "the database of the last release is led to what the schema and the sources say",
      "the database of the last release keeps its rows",
      "the database of the last release is served, and goes on",
    ],
  },
  {
    why: ONE_ROLE,
    file: "test/data/audit-trail.test.ts",
    names: ["entries are written by triggers alone"],
  },
  {
    why: ONE_ROLE,
    file: "test/data/ledger.test.ts",
    names: ["lets the role of the service post by the function alone"],
  },
  {
    why: DOMAINS_BY_LOCK,
    file: "test/data/checks.test.ts",
    names: ["checks in the database know a domain in any case, until its company is deleted"],
  },
  {
    why: DOMAINS_BY_LOCK,
    file: "test/data/distribution.test.ts",
    names: [
      "where rows are in a distributed database has the column of the distribution in every key, and in unique indexes of all but companies",
    ],
  },
  {
    why: "Citus has no plan for all companies, so that sessions keep none",
    file: "test/data/plans.test.ts",
    names: [
      "a statement that is to keep its plan has it from its first run on",
      "a statement answers, and fails, as it did without a choice before it",
      "the statements of hot paths of one row keep one plan",
      "the statements of hot paths of one row by REST keep one plan",
      "the statements of hot paths of a first page keep one plan",
      "the statements of hot paths of a page behind a cursor keep one plan",
      "the statements of hot paths of a page behind a cursor by REST keep one plan",
      "the statements of hot paths of related rows keep one plan",
    ],
  },
  {
    why: "workers give ids of their own, so that the answers have others than the reference",
    file: "test/rest/examples-run.test.ts",
    names: [
      "each operation's example runs as it stands on the demo data shows what each operation answers as its example",
    ],
  },
  {
    why: "Citus keeps back the notices of workers, by which the service hears whom a long entry costs",
    file: "test/audit/long-entries.test.ts",
    names: ["an entry of the audit trail costs 1 for each byte when it is longer than 4 KB"],
  },
];

/** Returns why a test cannot hold on a distributed database; `undefined` for one that has to. */
export function reasonOf(file: string, name: string): string | undefined {
  return NOT_FOR_DISTRIBUTED.find((mark) => mark.file === file && mark.names.includes(name))?.why;
}
