/** Tests that cannot hold on a distributed database, whatever the service does there. */
export interface Mark {
  /** Why they cannot. */
  readonly why: string;
  /** The file of the tests. */
  readonly file: string;
  /** Their full names. */
  readonly names: readonly string[];
}

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
      "rows that are wanted within the same turn count once for each asker, also for the one whose row is left alone",
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
    why: "the test gives changes the number of a transaction of the coordinator, and workers have their own",
    file: "test/webhooks/webhook-bounds.test.ts",
    names: ["sending makes few messages ahead for a receiver that is away, and loses none"],
  },
];

/** Returns why a test cannot hold on a distributed database; `undefined` for one that has to. */
export function reasonOf(file: string, name: string): string | undefined {
  return NOT_FOR_DISTRIBUTED.find((mark) => mark.file === file && mark.names.includes(name))?.why;
}
