import { hasForbiddenCharacters, isLongerThan } from "../../core/inputs/text.js";
import { fits } from "./form-pattern.rules.js";
import type { INPUT_TYPES } from "./form.schema.js";
import { type FieldsOf, type FormComponent, type FormComponentKind } from "./form.schema.js";

/** The answer to a component: its place in the form, and a value of any type. */
export interface FormAnswer {
  readonly index: number;
  readonly value?: unknown;
}

/** What is wrong with the answer to a component. */
export interface WrongAnswer {
  readonly rule: string;
  readonly message: string;
}

/** A text longer than this is refused before any pattern looks at it. */
export const MOST_ANSWER_LENGTH = 1_024;

const REQUIRED = wrong("required", "is required");
const CONTROL_CHARACTERS = wrong("control_characters", "must not hold control characters");

/** The kind of a component, which is its one key, and its fields. */
export function partsOf(component: FormComponent): {
  kind: FormComponentKind;
  fields: { readonly question?: string };
} {
  const [kind] = Object.keys(component) as [FormComponentKind];
  return { kind, fields: (component as Record<string, { question?: string }>)[kind] ?? {} };
}

/** Whether a value is an answer; what is missing, null or an empty text is none. */
export function isAnswer(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Returns everything that is wrong with the answer to a component. */
export function wrongAnswer(component: FormComponent, answer: FormAnswer | undefined): WrongAnswer[] {
  const value = isAnswer(answer?.value) ? answer?.value : null;
  if ("text" in component || "text_button" in component)
    return value === null ? [] : [wrong("unknown", "takes no answer")];
  if ("boolean" in component) return wrongBoolean(component.boolean, value);
  const { required = false } =
    "option" in component ? component.option : "input" in component ? component.input : component.file;
  if (value === null) return required ? [REQUIRED] : [];
  if ("option" in component) return wrongChoice(component.option, value);
  return "input" in component ? wrongInput(component.input, value) : wrongFile(component.file, value);
}

function wrongBoolean({ required = false }: FieldsOf<"boolean">, value: unknown): WrongAnswer[] {
  if (value !== null && typeof value !== "boolean") return [wrong("type", "must be true or false")];
  return required && value !== true ? [wrong("required", "has to be checked")] : [];
}

function wrongChoice({ choices }: FieldsOf<"option">, value: unknown): WrongAnswer[] {
  if (typeof value !== "string") return [wrong("type", "must be text")];
  return choices.includes(value) ? [] : [wrong("choice", "must be one of the choices")];
}

type InputType = (typeof INPUT_TYPES)[number];

/** What a text of each type has to be. */
const INPUT_RULES: Readonly<Record<InputType, (text: string) => WrongAnswer | null>> = {
  text: ofOneLine,
  bank: ofOneLine,
  text_area: (text) => (hasForbiddenCharacters(text, "block") ? CONTROL_CHARACTERS : null),
  date: (text) => (isDate(text) ? null : wrong("date", "must be a date, YYYY-MM-DD")),
  numeric: (text) => (/^[+-]?\d+(?:\.\d+)?$/u.test(text) ? null : wrong("numeric", "must be a number")),
};

function wrongInput({ type = "text", regex }: FieldsOf<"input">, value: unknown): WrongAnswer[] {
  const text = type === "numeric" && typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return [wrong("type", "must be text")];
  if (isLongerThan(text, MOST_ANSWER_LENGTH))
    return [wrong("max_length", `must have at most ${MOST_ANSWER_LENGTH} characters`)];
  const found = INPUT_RULES[type](text);
  return [
    ...(found === null ? [] : [found]),
    ...(regex === undefined || fits(regex, text) ? [] : [wrong("pattern", "does not have the right form")]),
  ];
}

function ofOneLine(text: string): WrongAnswer | null {
  if (/[\n\r\t\u2028\u2029]/u.test(text)) return wrong("control_characters", "must be a single line");
  return hasForbiddenCharacters(text, "line") ? CONTROL_CHARACTERS : null;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A file as its sender describes it. */
interface DescribedFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

function wrongFile({ allowed_types: allowed = [], type, required }: FieldsOf<"file">, value: unknown) {
  if (!describesFile(value)) return [wrong("type", "must be an object with name, type and size")];
  const { name, type: mediaType, size } = value;
  if ([name, mediaType].some((text) => hasForbiddenCharacters(text, "line"))) return [CONTROL_CHARACTERS];
  if (size === 0 && required === true) return [REQUIRED];
  const media = mediaType.trim().toLowerCase();
  if (type === "image" && !media.startsWith("image/")) return [wrong("file_type", "must be an image")];
  const isAllowed = allowed.length === 0 || allowed.some((one) => isOfType(one, name, media));
  return isAllowed ? [] : [wrong("file_type", `must be one of ${allowed.join(", ")}`)];
}

/** Returns whether a file is of an allowed type: a media type, one such as `image/*`, or the ending of a name. */
function isOfType(allowed: string, name: string, media: string): boolean {
  const wanted = allowed.trim().toLowerCase();
  if (wanted.endsWith("/*")) return media.startsWith(wanted.slice(0, -1));
  if (wanted.includes("/")) return media === wanted;
  return name.toLowerCase().endsWith(wanted.startsWith(".") ? wanted : `.${wanted}`);
}

/** Browsers leave the media type empty where they know none; other keys count for nothing. */
function describesFile(value: unknown): value is DescribedFile {
  if (typeof value !== "object" || value === null) return false;
  const { name, type, size } = value as Partial<Record<keyof DescribedFile, unknown>>;
  const isSize = Number.isSafeInteger(size) && (size as number) >= 0;
  return typeof name === "string" && name !== "" && typeof type === "string" && isSize;
}

function wrong(rule: string, message: string): WrongAnswer {
  return { rule, message };
}
