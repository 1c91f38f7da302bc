import { DomainError, validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import { isOfList, type Operation } from "../schema/operation.js";
import { MOST_ERRORS } from "../validation/field-errors.js";

/**
 * Returns the refusal that names wrong fields. Wrong list arguments of a query come before its other wrong fields
 * (contract §6.3); all are named either way.
 *
 * @param isTyped says whether all arguments fit their types.
 */
export function refusal(
  found: readonly FieldError[],
  operation: Pick<Operation, "kind" | "listArguments">,
  isTyped: boolean,
): DomainError {
  const errors = eachOnce(found).slice(0, MOST_ERRORS);
  const isMistyped = !isTyped && errors.some(({ rule }) => rule === "type");
  const [only, another] = errors;
  // What a list is asked for and there is not is a wrong field like others.
  const isOfWrongList = errors.some((error) => isOfList(error, operation) && error.rule !== "exists");
  if (operation.kind !== "query" || !isOfWrongList || isMistyped) return validationFailed(errors);
  // The words of a closed set may have to stay unknown; they are named in `errors` alone.
  const message =
    only !== undefined && another === undefined && only.rule !== "enum"
      ? `${only.field} ${only.message}.`
      : "The list cannot be asked for like this; see errors.";
  return new DomainError("BAD_REQUEST", message, { errors });
}

/** Returns whether one field is the other one or stands within it. */
export function areRelated(one: string, other: string): boolean {
  return one === other || wholesOf(one).includes(other) || wholesOf(other).includes(one);
}

/** Returns the fields around a field: `config` and `config.days` for `config.days[0]`. */
function wholesOf(field: string): string[] {
  return [...field.matchAll(/[.[]/gu)].map(({ index }) => field.slice(0, index));
}

/**
 * Reports each field and rule once, although both the shape of the body and its values may find the same. A value
 * of the wrong type is reported as such alone: nothing else is said of it or of what is in it.
 */
function eachOnce(errors: readonly FieldError[]): FieldError[] {
  const misshapen = new Set(errors.filter(({ rule }) => rule === "type").map(({ field }) => field));
  const isWithin = (field: string): boolean => wholesOf(field).some((whole) => misshapen.has(whole));
  const plain = errors.filter(({ field, rule }) =>
    rule === "type" ? !isWithin(field) : !misshapen.has(field) && !isWithin(field),
  );
  return [...new Map(plain.map((error) => [`${error.field} ${error.rule}`, error])).values()];
}
