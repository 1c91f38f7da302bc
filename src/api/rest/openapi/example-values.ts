import type { JsonSchema } from "../../../core/inputs/json-schema.js";

type Hint<T> = readonly [name: RegExp, value: T];

/** Texts by the name of their field; the first one that fits both the name and the pattern is used. */
const TEXTS: readonly Hint<string>[] = [
  [/email|mail_from/u, "ana@example.com"],
  [/phone/u, "+15550100123"],
  [/password/u, "correct horse battery staple"],
  [/token|cursor/u, "eyJhbGciOiJIUzI1NiJ9"],
  [/avatar|picture|image|label_url|logo|banner_url|^icon_url/u, "https://example.com/files/picture.jpg"],
  [/url|custom_domain/u, "https://example.com/page"],
  [/domain/u, "acme"],
  [/(?:^|_)iso$|currency/u, "USD"],
  [/iso_lang|language/u, "en"],
  [/country_iso/u, "US"],
  [/country/u, "United States"],
  [/state$/u, "New York"],
  [/city$/u, "New York"],
  [/postal_code/u, "10001"],
  [/address/u, "350 Fifth Avenue"],
  [/time_zone|timezone|^tz$|offset/u, "-04:00"],
  [/(?:^|_)(?:hour|time)(?:_|$)/u, "09:00"],
  [/^limit_type$/u, "per_order"],
  [/barcode/u, "7501031311309"],
  [/code/u, "SAVE2030"],
  [/sku/u, "SKU-0001"],
  [/folder/u, "acme"],
  [/unit/u, "kg"],
  [/weight/u, "1.2 kg"],
  [/eta$/u, "20 min"],
  [/regex/u, "^[A-Za-z ]+$"],
  [/role/u, "access_goods"],
  [/document_id|uuid|strong_id/u, "3f0c9a52-7a38-4a0e-9d0c-3d0f7c1f2b61"],
  [/keyword|tag|label/u, "fresh"],
  [/message/u, "Thank you for taking part."],
  [/description|details|content|terms|note|question|hint|reference|disclaimer|slogan/u, "A short text."],
  [/name|title/u, "Sample name"],
];

/** Texts for fields with patterns and with names that no hint fits. */
const ANY_TEXTS = [
  "sample",
  "SAMPLE01",
  "access_goods",
  "1,2,3",
  "sample_pm",
  "1",
  "0.10",
  "09:00",
  "-04:00",
  "00",
  "a",
];

const NUMBERS: readonly Hint<number>[] = [
  [/latitude_e6/u, 40_748_440],
  [/longitude_e6/u, -73_985_660],
  [/^human_.*_e2$/u, 10],
  [/^human_.*_prc$/u, 10],
  [/assumption_prc/u, 10],
  [/prc$|percent$/u, 0.1],
  [/rating_e2$/u, 450],
  [/e2$/u, 1_000],
  [/^(?:type|options|prop_type|type_value)$/u, 0x100],
  [/distance/u, 1_500],
  [/^max(?:_|$)|^end/u, 10],
  [/total_count|quantity_real/u, 100],
];

const PAST = "2026-01-31 09:30:00";
const START = "2035-01-31 09:30:00";
const END = "2035-12-31 23:59:59";

/** Returns a text within the bounds of its field. It is the same at every run. */
export function exampleText(schema: JsonSchema, name: string): string {
  const {
    minLength = 0,
    maxLength = 200,
    pattern,
  } = schema as { minLength?: number; maxLength?: number; pattern?: string };
  const named = TEXTS.filter(([hint]) => hint.test(name)).map(([, text]) => text);
  const candidates = [...formatted(schema, name), ...named, ...ANY_TEXTS].map((text) =>
    text.slice(0, maxLength).trim().padEnd(minLength, "x"),
  );
  const matcher = pattern === undefined ? null : new RegExp(pattern, "u");
  return candidates.find((text) => matcher?.test(text) ?? true) ?? (candidates[0] as string);
}

/** Returns a number within the bounds of its field; some bounds may be values of fields beside it. */
export function exampleNumber(
  schema: JsonSchema,
  name: string,
  siblings: Readonly<Record<string, unknown>>,
): number {
  const step = schema["type"] === "integer" ? 1 : 0.01;
  const bound = (keyword: string, shift: number): number | undefined => {
    const value = schema[keyword];
    const limit = typeof value === "number" ? value : siblingValue(value, siblings);
    return typeof limit === "number" ? limit + shift : undefined;
  };
  const lowest = Math.max(bound("minimum", 0) ?? -Infinity, bound("exclusiveMinimum", step) ?? -Infinity);
  const highest = Math.min(bound("maximum", 0) ?? Infinity, bound("exclusiveMaximum", -step) ?? Infinity);
  const preferred = NUMBERS.find(([hint]) => hint.test(name))?.[1] ?? 1;
  return Math.min(Math.max(preferred, lowest), highest);
}

/** Returns the value that `{ $data: "1/min" }` refers to: the field `min` of the same object. */
function siblingValue(reference: unknown, siblings: Readonly<Record<string, unknown>>): unknown {
  const pointer = (reference as { $data?: string } | undefined)?.$data;
  return pointer === undefined
    ? undefined
    : siblings[/^1\/(?<name>\w+)$/u.exec(pointer)?.groups?.["name"] ?? ""];
}

function formatted(schema: JsonSchema, name: string): string[] {
  const { format, pattern } = schema as { format?: string; pattern?: string };
  if (format === "clock") return [/end|until|_to$/u.test(name) ? "18:00" : "09:00"];
  if (format === "offset") return ["-04:00"];
  if (format === "email") return ["ana@example.com"];
  if (format === "url" || format?.startsWith("uri") === true)
    return ["https://example.com/files/picture.jpg"];
  if (format === "domain") return ["acme"];
  if (format === "regex") return ["^[A-Za-z ]+$"];
  if (/^(?:created|updated|deleted|used|issued|completed|generated|imported)_at$/u.test(name)) return [PAST];
  if (format !== "datetime" && pattern?.includes("\\d{4}-") !== true) return [];
  return [/end|until|expire/u.test(name) ? END : START];
}
