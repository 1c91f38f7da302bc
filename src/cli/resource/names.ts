/** The names of one resource, in the forms that its files need. */
export interface ResourceNames {
  /** `DeliveryZone` */
  readonly type: string;
  /** `deliveryZone` */
  readonly one: string;
  /** `deliveryZones` */
  readonly many: string;
  /** `delivery-zone`, the beginning of its files. */
  readonly file: string;
  /** `delivery-zones`, its slice and the last part of its path. */
  readonly slice: string;
  /** `delivery_zones` */
  readonly table: string;
  /** `delivery zone` */
  readonly words: string;
  /** `delivery zones` */
  readonly manyWords: string;
}

/** Which values a column may have; bounds that are more than these are for the author to set. */
export const COLUMN_KINDS = ["text", "int", "boolean"] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

export interface ResourceColumn {
  /** `contactEmail` */
  readonly field: string;
  /** `contact_email` */
  readonly column: string;
  /** `contact email` */
  readonly words: string;
  readonly kind: ColumnKind;
}

const WORDS = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/u;
const FIELD = /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*$/u;

/** @returns `null` when the name is not one or several words of lower case with hyphens between them. */
export function namesOf(name: string, plural = pluralOf(name)): ResourceNames | null {
  if (!WORDS.test(name) || !WORDS.test(plural) || plural === name) return null;
  return {
    type: capitalized(inCamelCase(name)),
    one: inCamelCase(name),
    many: inCamelCase(plural),
    file: name,
    slice: plural,
    table: plural.replaceAll("-", "_"),
    words: name.replaceAll("-", " "),
    manyWords: plural.replaceAll("-", " "),
  };
}

/** Reads `contactEmail:text`. @returns `null` when it is no column. */
export function columnOf(text: string): ResourceColumn | null {
  const [field = "", kind = ""] = text.split(":");
  if (!FIELD.test(field) || !COLUMN_KINDS.includes(kind as ColumnKind)) return null;
  const words = field.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  return { field, column: words.replaceAll(" ", "_"), words, kind: kind as ColumnKind };
}

/** The words with the article that they need: `an offer`. */
export function withArticle(words: string): string {
  return `${/^[aeiou]/u.test(words) ? "an" : "a"} ${words}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/u.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/u.test(name) ? `${name}es` : `${name}s`;
}

function inCamelCase(name: string): string {
  return name.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}
