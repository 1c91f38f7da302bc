import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import ajvFormats from "ajv-formats";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { FetchedPicture } from "../../core/files/fetched-picture-field.js";
import type { WantedPicture } from "../../core/files/files.js";
import type { PictureRule } from "../../core/files/picture-rule.js";
import type { SheetRule } from "../../core/files/sheet-rule.js";
import { isPictureUrl, MUST_BE_FILE, UploadedFile } from "../../core/files/upload.js";
import { isId } from "../../core/integers.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { compileCut } from "./cut.js";
import { fieldErrors, fieldPath } from "./field-errors.js";
import { FORMATS } from "./formats.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { laterThan, type Reading } from "./later-than.js";
import { compileForbidden } from "../../core/inputs/forbidden-key.js";
import { hasForbiddenCharacters, normalizeText, type TextKind } from "../../core/inputs/text.js";
import { compileTwins } from "../../core/inputs/twins.js";
import { compileUniqueBy } from "./unique-by.js";

/** An id of the input that must belong to a row of `model` in the company. */
export interface ReferencedId {
  readonly field: string;
  readonly model: ModelName;
  readonly id: number;
}

/** A file of the input, with what its field asks of it. */
interface Uploaded<Rule> {
  readonly field: string;
  readonly file: UploadedFile;
  readonly rule: Rule;
}
export type UploadedPicture = Uploaded<PictureRule>;
export type UploadedSheet = Uploaded<SheetRule>;

/** A picture that the service has to fetch. */
export interface PictureToFetch extends WantedPicture {
  /** Puts the file in its place in the input. */
  readonly put: (file: UploadedFile) => void;
}

export interface Findings {
  readonly errors: readonly FieldError[];
  readonly references: readonly ReferencedId[];
  readonly pictures: readonly UploadedPicture[];
  readonly fetches: readonly PictureToFetch[];
  readonly sheets: readonly UploadedSheet[];
}

/** Checks a value; `reading` gives the moment and the zone by which its moments are judged. */
export type Check = (value: unknown, reading?: Reading) => Findings;

interface Collector {
  references: ReferencedId[];
  pictures: UploadedPicture[];
  fetches: PictureToFetch[];
  sheets: UploadedSheet[];
  readonly reading: Reading;
}

/** Compiles JSON Schemas of inputs. A check also normalises every text in place (contract §2.6). */
export class InputValidator {
  private readonly ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    passContext: true,
    verbose: true,
    validateFormats: true,
    $data: true,
    // Otherwise the code of a definition without references stands anew wherever it is referred to.
    inlineRefs: false,
    // V8 does that, too: checks are as fast without, and compiled in two thirds of the time.
    code: { optimize: false },
  });
  /** The names of the definitions that Ajv knows. */
  private readonly defined = new Set<string>();

  constructor(private readonly definitions: Record<string, JsonSchema>) {
    ajvFormats.default(this.ajv, ["email"]);
    for (const [name, validate] of Object.entries(FORMATS)) this.ajv.addFormat(name, validate);
    this.ajv.addKeyword({
      keyword: "text",
      type: "string",
      before: "maxLength",
      modifying: true,
      errors: true,
      validate: text,
    });
    // Rules between fields only work on plain values, so this keyword comes before all others.
    this.ajv.addKeyword({
      keyword: "twins",
      before: "const",
      modifying: true,
      errors: true,
      compile: compileTwins,
    });
    this.ajv.addKeyword({
      keyword: "cut",
      type: "array",
      before: "maxItems",
      modifying: true,
      errors: true,
      compile: compileCut,
    });
    this.ajv.addKeyword({ keyword: "forbidden", errors: true, compile: compileForbidden });
    this.ajv.addKeyword({ keyword: "json", modifying: true, errors: true, validate: json });
    this.ajv.addKeyword({ keyword: "notNull", errors: true, validate: notNull });
    this.ajv.addKeyword({ keyword: "decimals", type: "number", errors: true, validate: decimals });
    this.ajv.addKeyword({ keyword: "decimalText", type: "string", errors: true, validate: decimalText });
    this.ajv.addKeyword({ keyword: "uniqueBy", type: "array", errors: true, compile: compileUniqueBy });
    this.ajv.addKeyword({ keyword: "existingId", type: "number", validate: existingId });
    this.ajv.addKeyword({ keyword: "known", type: "string", errors: true, validate: known });
    this.ajv.addKeyword({
      keyword: "minimumUnless",
      type: "number",
      // Of two bounds that do not hold, the first one is told.
      before: "minimum",
      errors: true,
      validate: minimumUnless,
    });
    this.ajv.addKeyword({ keyword: "file", errors: true, validate: file });
    this.ajv.addKeyword({ keyword: "picture", validate: picture });
    this.ajv.addKeyword({ keyword: "fetchedPicture", type: "string", validate: fetchedPicture });
    this.ajv.addKeyword({ keyword: "sheet", validate: sheet });
    this.ajv.addKeyword({ keyword: "laterThan", type: "string", errors: true, validate: laterThan });
  }

  /**
   * Compiles a schema.
   *
   * @returns a function that checks a value and reports everything that is wrong with it.
   */
  compile(schema: JsonSchema): Check {
    const validate = this.ajv.compile(this.linked(schema) as JsonSchema);
    return (value, reading = { at: new Date(), timeZoneOffset: "+00:00" }) => {
      const collector: Collector = { references: [], pictures: [], sheets: [], fetches: [], reading };
      const valid = validate.call(collector, value);
      const errors = valid ? [] : fieldErrors(validate.errors ?? []);
      const { references, pictures, sheets, fetches } = collector;
      return { errors, references, pictures, sheets, fetches };
    };
  }

  /**
   * Returns a schema that refers to definitions by their names, and lets Ajv know those definitions. Each is compiled
   * once for all operations, when the first of them is called.
   */
  private linked(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.linked(item));
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, key === "$ref" ? this.define(String(item)) : this.linked(item)] as const,
    );
    return Object.fromEntries(entries);
  }

  /** Lets Ajv know a definition, and returns its name. */
  private define(reference: string): string {
    const name = reference.replace("#/$defs/", "");
    if (this.defined.has(name)) return name;
    // It is noted first, since a definition may refer to itself.
    this.defined.add(name);
    this.ajv.addSchema(this.linked(this.definitions[name]) as JsonSchema, name);
    return name;
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

type Errors = Partial<ErrorObject>[];
interface KeywordFunction {
  (this: unknown, schema: unknown, data: unknown, parent?: unknown, context?: DataValidationCxt): boolean;
  errors?: Errors;
}

/** A number is at least `minimum` unless a field beside it is given. */
const minimumUnless: KeywordFunction = function (schema, data, _parent, context) {
  const { minimum, beside } = schema as { minimum: number; beside: string };
  const siblings = (context?.parentData ?? {}) as Record<string, unknown>;
  if ((data as number) >= minimum || siblings[beside] != null) return true;
  minimumUnless.errors = [{ keyword: "minimum", message: `must be >= ${minimum}`, params: {} }];
  return false;
};

/** A text is one of `names`. */
const known: KeywordFunction = function (schema, data) {
  const { names, what } = schema as { names: readonly string[]; what: string };
  if (names.includes(data as string)) return true;
  known.errors = [{ keyword: "exists", message: `${String(data)} is no ${what}`, params: {} }];
  return false;
};

const text: KeywordFunction = function (schema, data, _parent, context) {
  const kind = schema as TextKind;
  const normalized = normalizeText(data as string, kind);
  if (context !== undefined) context.parentData[context.parentDataProperty] = normalized;
  if (!hasForbiddenCharacters(normalized, kind)) return true;
  text.errors = [{ keyword: "control_characters", message: "must not hold control characters", params: {} }];
  return false;
};

const json: KeywordFunction = function (schema, data, _parent, context) {
  const path = context?.instancePath ?? "";
  const inherited = inheritedKey(data, path);
  if (inherited !== null) {
    json.errors = [
      { keyword: "forbidden", message: "is not allowed as a key", params: {}, instancePath: inherited },
    ];
    return false;
  }
  if (holdsFile(data)) {
    json.errors = [{ keyword: "type", message: "must hold no file", params: {} }];
    return false;
  }
  const errors: Errors = [];
  if (context !== undefined && schema !== "described") {
    context.parentData[context.parentDataProperty] = normalizeJson(data, path, errors);
  }
  const isLeft = ({ keyword }: Partial<ErrorObject>): boolean =>
    schema === "judged" && keyword === "control_characters";
  json.errors = errors.filter((error) => !isLeft(error));
  return json.errors.length === 0;
};

/**
 * Returns the place of a key by which whoever copies the JSON key by key reaches a prototype: `__proto__`, and
 * `prototype` of an object under `constructor`. Without one it returns `null`.
 */
function inheritedKey(value: unknown, path: string): string | null {
  if (typeof value !== "object" || value === null || value instanceof UploadedFile) return null;
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    const place = `${path}/${pointerOf(key)}`;
    if (key === "__proto__") return place;
    if (
      key === "constructor" &&
      typeof item === "object" &&
      item !== null &&
      Object.hasOwn(item, "prototype")
    )
      return `${place}/prototype`;
    const found = inheritedKey(item, place);
    if (found !== null) return found;
  }
  return null;
}

/** Returns a key as a segment of a JSON pointer (RFC 6901). */
function pointerOf(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

const notNull: KeywordFunction = function (_schema, data) {
  if (data !== null) return true;
  notNull.errors = [{ keyword: "type", message: "must not be null", params: {} }];
  return false;
};

/** Returns whether a file is in the place of JSON, or within it. */
function holdsFile(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof UploadedFile || Object.values(value).some(holdsFile);
}

function normalizeJson(value: unknown, path: string, errors: Errors): unknown {
  if (typeof value === "string") {
    const normalized = normalizeText(value, "block");
    if (hasForbiddenCharacters(normalized, "block")) errors.push(controlCharacters(path));
    return normalized;
  }
  // A number beyond double precision has been read as infinite, and so has one that is too small for it.
  if (typeof value === "number" && !Number.isFinite(value)) errors.push(beyondNumbers(value, path));
  if (Array.isArray(value))
    return value.map((item, index) => normalizeJson(item, `${path}/${index}`, errors));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    if (hasForbiddenCharacters(key, "line")) errors.push(controlCharacters(path));
    return [key, normalizeJson(item, `${path}/${pointerOf(key)}`, errors)] as const;
  });
  return Object.fromEntries(entries);
}

function controlCharacters(instancePath: string): Partial<ErrorObject> {
  return {
    keyword: "control_characters",
    message: "must not hold control characters",
    params: {},
    instancePath,
  };
}

/** It stands for a number beyond all bounds, for an integer that would be read as another one, and for what would be read as 0. */
function beyondNumbers(value: number, instancePath: string): Partial<ErrorObject> {
  const message = "must be a number that double precision keeps as it is; send another one as a text";
  return { keyword: value > 0 ? "maximum" : "minimum", message, params: {}, instancePath };
}

const decimals: KeywordFunction = function (schema, data) {
  if (hasAtMost(schema as number, data)) return true;
  decimals.errors = [tooManyDecimals(schema)];
  return false;
};

function hasAtMost(most: number, data: unknown): boolean {
  const fraction = /\.(?<digits>\d+)/u.exec(String(data))?.groups?.["digits"] ?? "";
  return fraction.length <= most && !/e-/iu.test(String(data));
}

function tooManyDecimals(most: unknown): Partial<ErrorObject> {
  return { keyword: "decimals", message: `must have at most ${String(most)} decimals`, params: {} };
}

/** Checks the bounds of a number that is still a text, since GraphQL has not read the input. */
const decimalText: KeywordFunction = function (_schema, data, parent) {
  const { minimum = -Infinity, maximum = Infinity, decimals: most = Infinity } = parent as Bounds;
  const value = Number(data);
  const errors: Errors = [];
  if (value < minimum) errors.push({ keyword: "minimum", message: `must be >= ${minimum}`, params: {} });
  if (value > maximum) errors.push({ keyword: "maximum", message: `must be <= ${maximum}`, params: {} });
  if (!hasAtMost(most, data)) errors.push(tooManyDecimals(most));
  decimalText.errors = errors;
  return errors.length === 0;
};

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly decimals?: number;
}

const file: KeywordFunction = function (_schema, data, parent) {
  if (data === null || data instanceof UploadedFile) return true;
  if ((parent as { takesBack?: boolean }).takesBack === true && isPictureUrl(data)) return true;
  file.errors = [{ keyword: "type", message: MUST_BE_FILE, params: {} }];
  return false;
};

/** Makes a keyword that notes what it meets and refuses nothing. */
function noting(
  note: (collector: Collector, met: { rule: unknown; data: unknown; context: DataValidationCxt }) => void,
) {
  return function (
    this: unknown,
    rule: unknown,
    data: unknown,
    _parent?: unknown,
    context?: DataValidationCxt,
  ): boolean {
    if (context !== undefined) note(this as Collector, { rule, data, context });
    return true;
  };
}

const picture = noting(({ pictures }, { rule, data, context: { instancePath } }) => {
  if (data instanceof UploadedFile)
    pictures.push({ field: fieldPath(instancePath), file: data, rule: rule as PictureRule });
});

const fetchedPicture = noting(({ fetches }, { rule: told, data, context: { instancePath, parentData } }) => {
  const { rule, as } = told as FetchedPicture;
  const put = (file: UploadedFile): void => void ((parentData as Record<string, unknown>)[as] = file);
  fetches.push({ field: fieldPath(instancePath), url: data as string, rule, put });
});

const sheet = noting(({ sheets }, { rule, data, context: { instancePath } }) => {
  if (data instanceof UploadedFile)
    sheets.push({ field: fieldPath(instancePath), file: data, rule: rule as SheetRule });
});

const existingId = noting(({ references }, { rule, data, context: { instancePath } }) => {
  if (isId(data)) references.push({ field: fieldPath(instancePath), model: rule as ModelName, id: data });
});
