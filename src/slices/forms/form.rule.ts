import type { FieldError } from "../../core/errors/domain-error.js";
import { isLongerThan } from "../../core/inputs/text.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import { wrongPatterns } from "./form-pattern.rules.js";

/** Finds the patterns of a form that cannot be matched in linear time. */
export const patternsAreLinear: StoredRule = ({ form }) => Promise.resolve(wrongRegexes(form));

/** Finds the same, and a branch in the body that is not the one of the path. */
export const fitsBranch: StoredRule = (input, _context, { branchId }) => {
  const named = input["branchId"];
  const isOther = typeof named === "number" && named !== branchId;
  const mismatch = { field: "branchId", rule: "mismatch", message: "must be the branch of the path" };
  return Promise.resolve([...wrongRegexes(input["form"]), ...(isOther ? [mismatch] : [])]);
};

/** @param form is unchecked, so anything may stand in it. */
function wrongRegexes(form: unknown): FieldError[] {
  if (!Array.isArray(form)) return [];
  const regexes = form.flatMap((component: unknown, index) => {
    const { input } = (component ?? {}) as { input?: unknown };
    const { regex } = (input ?? {}) as { regex?: unknown };
    return typeof regex === "string" && !isLongerThan(regex, 255) ? [{ index, regex }] : [];
  });
  const wrong = wrongPatterns(regexes.map(({ regex }) => regex));
  return [...wrong].map(([place, message]) => ({
    field: `form[${regexes[place]?.index}].input.regex`,
    rule: "pattern",
    message,
  }));
}
