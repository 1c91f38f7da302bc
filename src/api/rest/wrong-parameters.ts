import { DomainError, type FieldError } from "../../core/errors/domain-error.js";
import { MOST_ERRORS } from "../../engine/validation/field-errors.js";

/** A wrong parameter. Its name and message are as the caller wrote them, so they are never renamed. */
export class WrongParameter implements FieldError {
  /** @param field is the parameter as the caller wrote it, such as `filter[price_e2][gte]`. */
  constructor(
    readonly field: string,
    readonly rule: string,
    readonly message: string,
  ) {}
}

/** The wrong parameters of a request: they are collected while the query is read, and reported together. */
export class WrongParameters {
  private readonly found: WrongParameter[] = [];

  add(parameter: string, rule: string, message: string): void {
    this.found.push(new WrongParameter(parameter, rule, message));
  }

  get isNone(): boolean {
    return this.found.length === 0;
  }

  /** Notes what others found, of one parameter under the name of another. */
  addAll(others: WrongParameters, from: string, to: string): void {
    for (const { field, rule, message } of others.found) this.add(field === from ? to : field, rule, message);
  }

  /** Notes a name that the parameter does not know. */
  addUnknown(parameter: string, name: string, allowed: readonly string[]): void {
    this.add(parameter, "unknown", `${JSON.stringify(name)} is unknown; ${namesAllowed(allowed)}`);
  }

  /**
   * @param others finds what is wrong with the values that could be read. It is called only when something is wrong
   *   already: otherwise the operation finds it itself.
   * @throws DomainError BAD_REQUEST that names all wrong parameters, each of them once.
   */
  assertNone(others: () => readonly FieldError[] = () => []): void {
    if (this.found.length === 0) return;
    const all = [...this.found, ...others().filter((other) => !this.isEmptied(other))];
    const errors = [...new Map(all.map((wrong) => [JSON.stringify(wrong), wrong])).values()];
    throw new DomainError("BAD_REQUEST", detailOf(errors), { errors: errors.slice(0, MOST_ERRORS) });
  }

  /** Returns whether a part of a filter has no condition only because what it holds could not be read. */
  private isEmptied({ field, rule }: FieldError): boolean {
    if (rule !== "required" || !field.includes("[")) return false;
    return this.found.some((told) => told.field === field || told.field.startsWith(`${field}[`));
  }
}

export function namesAllowed(names: readonly string[]): string {
  return names.length === 0 ? "there are none here" : `allowed: ${names.join(", ")}`;
}

/** Names the only wrong parameter, or says how many there are. */
export function detailOf(errors: readonly FieldError[]): string {
  const [only, another] = errors;
  if (only === undefined || another !== undefined)
    return `${errors.length} parameters are wrong; see errors.`;
  return `${only.field}: ${only.message}.`;
}
