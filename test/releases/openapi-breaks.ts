import type { Break } from "./breaks.js";

type Json = Readonly<Record<string, unknown>>;
/** Says whether clients send a value or are answered it: what may be narrower in one may not in the other. */
type Direction = "request" | "response";

const METHODS = ["get", "post", "put", "patch", "delete"];
const UPPER_BOUNDS = ["maximum", "maxLength", "maxItems", "maxProperties"];
const LOWER_BOUNDS = ["minimum", "minLength", "minItems", "minProperties"];
const ALTERNATIVES = ["anyOf", "oneOf"];

/**
 * Finds the breaks between two OpenAPI documents: operations, parameters, keys and kinds of answers that are gone, callers that
 * are no longer let in, values that are taken no longer, and values that answers did not have before. A new value of an enum
 * is no break: clients pass over what they do not know.
 */
export function openapiBreaks(released: Json, current: Json): Break[] {
  return new Comparison(released, current).breaks();
}

class Comparison {
  private readonly found = new Map<string, Break>();
  private readonly seen = new Set<string>();

  constructor(
    private readonly released: Json,
    private readonly current: Json,
  ) {}

  breaks(): Break[] {
    for (const [path, item] of entries(this.released["paths"])) {
      for (const method of METHODS.filter((name) => item[name] !== undefined)) {
        const at = `${method.toUpperCase()} ${path}`;
        const after = object(object(object(this.current["paths"])[path])[method]);
        if (Object.keys(after).length === 0) this.add(at, "the operation is gone");
        else this.operation(object(item[method]), after, at);
      }
    }
    return [...this.found.values()];
  }

  private operation(before: Json, after: Json, at: string): void {
    const callers = list(after["x-callers"]);
    for (const caller of list(before["x-callers"]))
      if (!callers.includes(caller) && !callers.includes("anyone"))
        this.add(at, `callers of the kind ${String(caller)} are refused`);
    if (after["x-permission"] !== undefined && after["x-permission"] !== before["x-permission"])
      this.add(at, `it needs the permission ${text(after["x-permission"])}`);
    this.parameters(before, after, at);
    this.body(before, after, at);
    this.responses(before, after, at);
  }

  private parameters(before: Json, after: Json, at: string): void {
    const ofBefore = this.parametersOf(before, this.released);
    const ofAfter = this.parametersOf(after, this.current);
    for (const [name, parameter] of ofBefore) {
      const other = ofAfter.get(name);
      if (other === undefined) this.add(at, `the ${name} is gone`);
      else this.schema(object(parameter["schema"]), object(other["schema"]), `${at} ${name}`, "request");
    }
    for (const [name, parameter] of ofAfter)
      if (parameter["required"] === true && ofBefore.get(name)?.["required"] !== true)
        this.add(at, `the ${name} is required`);
  }

  /** Returns the parameters of an operation by place and name, such as "query parameter sort". */
  private parametersOf(operation: Json, document: Json): ReadonlyMap<string, Json> {
    return new Map(
      list(operation["parameters"])
        .map((parameter) => resolve(object(parameter), document))
        .map((parameter) => [`${String(parameter["in"])} parameter ${String(parameter["name"])}`, parameter]),
    );
  }

  private body(before: Json, after: Json, at: string): void {
    const [one, other] = [object(before["requestBody"]), object(after["requestBody"])];
    if (other["required"] === true && one["required"] !== true) this.add(at, "a body is required");
    if (before["requestBody"] !== undefined) this.contents(one, other, `${at} body`, "request");
  }

  private responses(before: Json, after: Json, at: string): void {
    for (const [status, answer] of entries(before["responses"])) {
      if (!status.startsWith("2")) continue;
      const other = object(after["responses"])[status];
      if (other === undefined) {
        this.add(at, `the answer ${status} is gone`);
        continue;
      }
      const [one, two] = [resolve(answer, this.released), resolve(object(other), this.current)];
      for (const header of Object.keys(object(one["headers"])))
        if (object(two["headers"])[header] === undefined) this.add(at, `the header ${header} is gone`);
      this.contents(one, two, `${at} ${status}`, "response");
    }
  }

  private contents(before: Json, after: Json, at: string, direction: Direction): void {
    for (const [type, content] of entries(before["content"])) {
      const other = object(after["content"])[type];
      if (other === undefined) this.add(at, `${type} is gone`);
      else this.schema(object(content["schema"]), object(object(other)["schema"]), at, direction);
    }
  }

  private schema(before: Json, after: Json, place: string, direction: Direction): void {
    const name = nameOf(before) ?? nameOf(after);
    const at = name ?? place;
    if (name !== null) {
      const pair = `${nameOf(before)} ${nameOf(after)} ${direction}`;
      if (this.seen.has(pair)) return;
      this.seen.add(pair);
    }
    const [one, other] = [resolve(before, this.released), resolve(after, this.current)];
    this.types(one, other, at, direction);
    if (direction === "request") this.bounds(one, other, at);
    this.properties(one, other, at, direction);
    if (one["items"] !== undefined)
      this.schema(object(one["items"]), object(other["items"]), `${at}.items`, direction);
    for (const word of ALTERNATIVES) this.alternatives(one, other, at, { word, direction });
    for (const [n, part] of list(one["allOf"]).entries())
      this.schema(object(part), object(list(other["allOf"])[n]), at, direction);
    if (direction === "request" && list(other["allOf"]).length > list(one["allOf"]).length)
      this.add(at, "it has to fit more schemas");
  }

  private types(before: Json, after: Json, at: string, direction: Direction): void {
    const [taken, offered] = direction === "request" ? [after, before] : [before, after];
    const known = typesOf(taken);
    if (known.length === 0) return;
    const others = typesOf(offered).filter(
      (type) => !known.includes(type) && !(type === "integer" && known.includes("number")),
    );
    const isOpen = typesOf(offered).length === 0 && ALTERNATIVES.every((word) => offered[word] === undefined);
    const verb = direction === "request" ? "is no longer taken" : "may be answered";
    for (const type of isOpen ? ["any value"] : others) this.add(at, `${type} ${verb}`);
    if (before["format"] !== after["format"])
      this.add(at, `the format is ${text(after["format"])} instead of ${text(before["format"])}`);
  }

  private bounds(before: Json, after: Json, at: string): void {
    for (const bound of UPPER_BOUNDS)
      if (Number(after[bound] ?? Infinity) < Number(before[bound] ?? Infinity))
        this.add(at, `${bound} is ${String(after[bound])}`);
    for (const bound of LOWER_BOUNDS)
      if (Number(after[bound] ?? -Infinity) > Number(before[bound] ?? -Infinity))
        this.add(at, `${bound} is ${String(after[bound])}`);
    const values = list(after["enum"]);
    if (values.length > 0 && before["enum"] === undefined) this.add(at, "only some values are taken");
    for (const value of list(before["enum"]))
      if (values.length > 0 && !values.includes(value)) this.add(at, `${String(value)} is no longer taken`);
    const gone = wordsIn(before["pattern"]).filter((word) => !wordsIn(after["pattern"]).includes(word));
    if (after["pattern"] !== undefined && before["pattern"] === undefined) this.add(at, "it has a pattern");
    // Patterns list names: what a longer list takes, cannot be known in general.
    if (after["pattern"] !== undefined)
      for (const word of gone) this.add(at, `${word} is gone from the pattern`);
    if (after["additionalProperties"] === false && before["additionalProperties"] !== false)
      this.add(at, "other keys are refused");
  }

  private properties(before: Json, after: Json, at: string, direction: Direction): void {
    const [ofBefore, ofAfter] = [object(before["properties"]), object(after["properties"])];
    for (const [key, property] of Object.entries(ofBefore)) {
      if (ofAfter[key] === undefined) this.add(`${at}.${key}`, "the key is gone");
      else this.schema(object(property), object(ofAfter[key]), `${at}.${key}`, direction);
    }
    const [fewer, more] = direction === "request" ? [before, after] : [after, before];
    const known = list(fewer["required"]);
    for (const key of list(more["required"]).map(String))
      if (!known.includes(key) && (direction === "request" || ofAfter[key] !== undefined))
        this.add(`${at}.${key}`, direction === "request" ? "the key is required" : "the key may be missing");
  }

  private alternatives(
    before: Json,
    after: Json,
    at: string,
    { word, direction }: { word: string; direction: Direction },
  ): void {
    const [ofBefore, ofAfter] = [list(before[word]).map(object), list(after[word]).map(object)];
    if (ofBefore.length === 0 && ofAfter.length === 0) return;
    const partner = (alternative: Json, others: Json[]) =>
      others.find((other) => keyOf(other) === keyOf(alternative));
    for (const alternative of ofBefore) {
      const other = partner(alternative, ofAfter);
      if (other !== undefined) this.schema(alternative, other, at, direction);
      else if (direction === "request") this.add(at, `${keyOf(alternative)} is no longer taken`);
    }
    if (direction === "response")
      for (const alternative of ofAfter)
        if (partner(alternative, ofBefore) === undefined)
          this.add(at, `${keyOf(alternative)} may be answered`);
  }

  private add(place: string, what: string): void {
    const at = `REST ${place}`;
    this.found.set(`${at} ${what}`, { at, what });
  }
}

/** Returns what an alternative is distinguished by: the schema that it refers to, else its types. */
function keyOf(schema: Json): string {
  return nameOf(schema) ?? typesOf(schema).join(" or ");
}

function typesOf(schema: Json): string[] {
  return [schema["type"] ?? []].flat().map(String);
}

function nameOf(schema: Json): string | null {
  const reference = schema["$ref"];
  return typeof reference === "string" ? (reference.split("/").at(-1) ?? null) : null;
}

function resolve(value: Json, document: Json): Json {
  const reference = value["$ref"];
  if (typeof reference !== "string") return value;
  const [, ...steps] = reference.split("/");
  return steps.reduce<Json>((found, step) => object(found[step]), document);
}

function wordsIn(pattern: unknown): string[] {
  return typeof pattern === "string" ? (pattern.match(/[a-z_0-9]{3,}/gu) ?? []) : [];
}

function entries(value: unknown): [string, Json][] {
  return Object.entries(object(value)).map(([key, inner]) => [key, object(inner)]);
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "none";
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
