import { findsPattern, patternStates } from "../properties/linear-pattern.rules.js";

/** All patterns of a form together unfold into at most so many states, so that checking its answers is cheap. */
const MOST_STATES_OF_FORM = 5_000;

/** The pattern that clients use of a stored `regex`: they drop its first and its last character. */
export function patternOf(regex: string): string {
  return regex.slice(1, -1);
}

/** Returns whether a text has what the stored `regex` looks for, found in linear time. */
export function fits(regex: string, text: string): boolean {
  return findsPattern(patternOf(regex), text) === true;
}

/**
 * Returns what is wrong with the patterns of a form, by their places among them: those that cannot be read or matched in
 * linear time, and those from which on all are too much together.
 */
export function wrongPatterns(regexes: readonly string[]): Map<number, string> {
  const wrong = new Map<number, string>();
  let all = 0;
  for (const [index, regex] of regexes.entries()) {
    const states = patternStates(patternOf(regex));
    if (states === null)
      wrong.set(index, "must be a pattern that can be matched in linear time, between two delimiters");
    else if ((all += states) > MOST_STATES_OF_FORM) {
      wrong.set(index, "is too much together with the patterns before it");
      break;
    }
  }
  return wrong;
}
