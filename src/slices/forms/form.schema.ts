import type { JsonSchema } from "../../core/inputs/json-schema.js";

/** The kinds of components that a form is made of. */
export const FORM_COMPONENTS = ["boolean", "option", "input", "text", "text_button", "file"] as const;
export type FormComponentKind = (typeof FORM_COMPONENTS)[number];

export const INPUT_TYPES = ["text", "text_area", "date", "numeric", "bank"] as const;

/** The fields of each component, as they are stored and shown. */
interface ComponentFields {
  readonly boolean: { readonly question: string; readonly required?: boolean };
  readonly option: {
    readonly question: string;
    readonly required?: boolean;
    readonly choices: readonly string[];
    readonly type?: "text" | "date" | "bank";
  };
  readonly input: {
    readonly question: string;
    readonly required?: boolean;
    readonly hint?: string;
    readonly regex?: string;
    readonly type?: (typeof INPUT_TYPES)[number];
    readonly key?: boolean;
  };
  readonly text: { readonly question?: string; readonly content?: string };
  readonly text_button: {
    readonly question?: string;
    readonly content?: string;
    readonly button_text?: string;
    readonly button_content?: string;
  };
  readonly file: {
    readonly question: string;
    readonly required?: boolean;
    readonly allowed_types?: readonly string[];
    readonly type?: "file" | "image";
  };
}

/** A component of a form: an object with one key, which names its kind. */
export type FormComponent = {
  readonly [Kind in FormComponentKind]: Readonly<Record<Kind, ComponentFields[Kind]>>;
}[FormComponentKind];

export type FieldsOf<Kind extends FormComponentKind> = ComponentFields[Kind];

const line = (maxLength: number, minLength?: number): JsonSchema => ({
  type: "string",
  text: "line",
  maxLength,
  ...(minLength !== undefined && { minLength }),
});
const block = (maxLength: number): JsonSchema => ({ type: "string", text: "block", maxLength });
const oneOf = (...words: readonly string[]): JsonSchema => ({ type: "string", enum: words });
const listOf = (items: JsonSchema, minItems = 0): JsonSchema => ({
  type: "array",
  cut: true,
  minItems,
  maxItems: 1_000,
  items,
});
const fields = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const QUESTION = line(64, 1);
const BOOLEAN = { type: "boolean" };

const COMPONENTS: Readonly<Record<FormComponentKind, JsonSchema>> = {
  boolean: fields({ question: QUESTION, required: BOOLEAN }, ["question"]),
  option: fields(
    {
      question: QUESTION,
      required: BOOLEAN,
      choices: listOf(line(48, 1), 1),
      type: oneOf("text", "date", "bank"),
    },
    ["question", "choices"],
  ),
  input: fields(
    {
      question: QUESTION,
      required: BOOLEAN,
      hint: line(32),
      regex: { type: "string", text: "verbatim", maxLength: 255 },
      type: oneOf(...INPUT_TYPES),
      key: BOOLEAN,
    },
    ["question"],
  ),
  text: fields({ question: line(64), content: block(512) }),
  text_button: fields({
    question: line(64),
    content: block(255),
    button_text: line(48),
    button_content: block(1024),
  }),
  file: fields(
    {
      // The specification has no maximum for this one.
      question: line(255, 1),
      required: BOOLEAN,
      allowed_types: listOf(line(128, 1)),
      type: oneOf("file", "image"),
    },
    ["question"],
  ),
};

/** JSON Schema of one component: an object with one key, which names its kind. */
export const FORM_COMPONENT_SCHEMA: JsonSchema = {
  // Every text in it says for itself how it is normalised: a pattern is kept to the letter.
  json: "described",
  type: "object",
  minProperties: 1,
  maxProperties: 1,
  properties: COMPONENTS,
  additionalProperties: false,
};

/** What the reference says of a form's components. */
export const FORM_DESCRIPTION =
  "The components in their order (contract §23.2), at most 1,000. Each is an object with one key: `boolean` {question, " +
  "required}, `option` {question, required, choices, type: text, date or bank}, `input` {question, required, hint, regex, " +
  "type: text, text_area, date, numeric or bank, key}, `text` {question, content}, `text_button` {question, content, " +
  "button_text, button_content}, `file` {question, required, allowed_types, type: file or image}. Questions have at most " +
  "64 characters (of `file` 255), hints 32, patterns 255, contents 512 (of `text_button` 255), choices and button texts 48, " +
  "button contents 1,024, allowed types 128.";
