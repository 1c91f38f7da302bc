import { createContext, Script } from "node:vm";
import fc from "fast-check";
import { findsPattern } from "../../src/slices/properties/linear-pattern.rules.js";

const atom = fc.constantFrom(
  "a",
  "b",
  "-",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\s",
  "[a-c\\d]",
  "\\.",
  "\\x61",
);
const quantifier = fc.constantFrom(
  "",
  "",
  "*",
  "+",
  "?",
  "{2}",
  "{1,3}",
  "{0,2}",
  "{2,}",
  "*?",
  "+?",
  "{1,2}?",
);

const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.tuple(atom, quantifier).map((parts) => parts.join("")),
    fc.constantFrom("^", "$", "\\b", "\\B"),
    fc
      .tuple(fc.constantFrom("(", "(?:"), tie("pattern"), quantifier)
      .map(([open, inner, times]) => `${open}${inner})${times}`),
  ),
  pattern: fc
    .array(
      fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
      { minLength: 1, maxLength: 2 },
    )
    .map((ways) => ways.join("|")),
}));

const sandbox = createContext({});
const regExp = new Script("new RegExp(source).test(text)");
/** RegExp backtracks: some of these patterns take it minutes, for a text of eight characters. */
const PATIENCE_MS = 50;

/** Returns what RegExp finds; `null` where that takes it too long. */
function foundByRegExp(source: string, text: string): boolean | null {
  try {
    return regExp.runInContext(Object.assign(sandbox, { source, text }), { timeout: PATIENCE_MS }) as boolean;
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  }
}

it("finds what RegExp finds", () => {
  let compared = 0;
  fc.assert(
    fc.property(
      pattern,
      fc.string({ unit: fc.constantFrom("a", "b", "c", "1", "-", ".", " ", "\n"), maxLength: 8 }),
      (source, text) => {
        const found = findsPattern(source, text);
        if (found === null) return;
        const expected = foundByRegExp(source, text);
        if (expected === null) return;
        compared += 1;
        expect([source, text, found]).toEqual([source, text, expected]);
      },
    ),
    { numRuns: 1_500 },
  );
  expect(compared).toBeGreaterThan(1_000);
});

it.each([
  ["^[A-Za-z ]+$", "Ana Maria", true],
  ["^[A-Za-z ]+$", "Ana 2", false],
  ["^.{0,80}$", "x".repeat(81), false],
  ["^(?<day>\\d{1,2})/\\d{4}$", "7/2026", true],
  ["^\\u0041$", "A", true],
  ["^[\\]x]{2}$", "]x", true],
  ["", "anything", true],
  ["a{,2}", "a{,2}", true],
])("finds %s in %s: %s", (source, text, found) => {
  expect(findsPattern(source, text)).toBe(found);
});

it("takes no longer for patterns that make a backtracking engine run for ever", () => {
  expect(findsPattern("^(a+)+$", `${"a".repeat(254)}!`)).toBe(false);
  expect(findsPattern("^(\\w|\\w\\w)*$", `${"a".repeat(254)}!`)).toBe(false);
});

it.each(["^(?=a)a$", "(?<!x)a", "(a)\\1", "(?<n>a)\\k<n>", "a{2000}", "(a{100}){100}"])(
  "leaves %s alone",
  (source) => {
    expect(findsPattern(source, "a")).toBeNull();
  },
);
