/** A difference between two versions of a reference by which a client that worked stops working. */
export interface Break {
  /** The face and the place, such as `GraphQL Coupon.name` or `REST GET /companies/{companyId}/goods`. */
  readonly at: string;
  readonly what: string;
}

/** The breaks that a changelog notes, and what is wrong with the notes. */
export interface Judgement {
  /** Breaks that no line notes. */
  readonly unnoted: readonly Break[];
  /** Notes of breaks that are none. */
  readonly idle: readonly string[];
}

const NOTE = /^- `(?<at>(?:GraphQL|REST) [^`]+)`: \S/gmu;

/**
 * Compares breaks with the lines "- `GraphQL Coupon.name`: why" of a changelog, below its heading "Breaks" for what is not yet
 * released. A line stands for a place and all within it.
 */
export function judgeBreaks(breaks: readonly Break[], changelog: string): Judgement {
  const notes = [...breaksOfUnreleased(changelog).matchAll(NOTE)].map(({ groups }) => groups?.["at"] ?? "");
  const covers = (note: string, { at }: Break) =>
    at === note || at.startsWith(`${note}.`) || at.startsWith(`${note} `);
  return {
    unnoted: breaks.filter((found) => !notes.some((note) => covers(note, found))),
    idle: notes.filter((note) => !breaks.some((found) => covers(note, found))),
  };
}

function breaksOfUnreleased(changelog: string): string {
  const unreleased = /^## Unreleased\n(?<text>[^]*?)(?=^## |$(?![^]))/mu.exec(changelog)?.groups?.["text"];
  if (unreleased === undefined) throw new Error("schema/CHANGELOG.md has no heading ## Unreleased");
  return /^### Breaks\n(?<text>[^]*?)(?=^### |$(?![^]))/mu.exec(unreleased)?.groups?.["text"] ?? "";
}
