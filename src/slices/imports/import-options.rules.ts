import iconv from "iconv-lite";
import type { FieldError } from "../../core/errors/domain-error.js";
import { isLongerThan } from "../../core/inputs/text.js";
import type { CsvSettings } from "../../core/sheets/sheet.js";
import type { DecimalSign } from "../goods/good-cell.rules.js";
import { goodColumn } from "../goods/good-columns.js";
import type { ImportGoodsInput } from "./import-goods.inputs.js";

/** How an import is done. */
export interface ImportConfig {
  readonly create: boolean;
  readonly update: boolean;
  readonly type: number;
  readonly notesEnabled: boolean;
  readonly unit: string;
  readonly decimal: DecimalSign | null;
  /** The program that wrote the sheet; `null` where its headers say so. */
  readonly profile?: SheetProfile | null;
}

/** The programs whose sheets have variants and codes in ways of their own. */
const PROFILES = ["shopify", "woocommerce", "prestashop", "magento"] as const;
export type SheetProfile = (typeof PROFILES)[number];

/** What is kept of an input until the file is read. */
export interface ImportOptions {
  /** A field that is null leaves the column out. */
  readonly mapping: readonly { readonly column: string; readonly field: string | null }[];
  readonly categories: readonly { readonly value: string; readonly category: string }[];
  readonly config: ImportConfig;
  readonly csv: CsvSettings;
  readonly hostImageUrl: string | null;
  readonly hostImageVar: string | null;
  /** Whether all rows that would change are shown. */
  readonly showsChanges?: boolean;
}

export interface ReadOptions {
  readonly options: ImportOptions;
  readonly dryRun: boolean;
  readonly errors: readonly FieldError[];
}

const DEFAULTS: ImportConfig = {
  create: true,
  update: true,
  type: 0,
  notesEnabled: false,
  unit: "",
  decimal: null,
  profile: null,
};
const MAX_TYPE = 0xffff;
const MAX_UNIT = 16;

/** Reads one value of `config`; `undefined` for a value that it cannot have. */
type ReadSetting = (value: string) => unknown;
const SETTINGS: Readonly<Record<string, readonly [name: string, read: ReadSetting, words: string]>> = {
  create: ["create", readSwitch, "true or false"],
  update: ["update", readSwitch, "true or false"],
  dry_run: ["dryRun", readSwitch, "true or false"],
  notes_enabled: ["notesEnabled", readSwitch, "true or false"],
  type: ["type", readType, `a whole number up to ${MAX_TYPE}`],
  unit: [
    "unit",
    (value) => (isLongerThan(value, MAX_UNIT) ? undefined : value),
    `at most ${MAX_UNIT} characters`,
  ],
  decimal: ["decimal", (value) => (value === "." || value === "," ? value : undefined), ". or ,"],
  profile: ["profile", (value) => PROFILES.find((name) => name === value), PROFILES.join(", ")],
};

/**
 * Reads the lists of texts of an input.
 *
 * @param input may be unchecked: what is no text is left to the check of its type.
 * @param ofBranch whether columns of a branch are known.
 */
export function readOptions(input: Partial<ImportGoodsInput>, ofBranch: boolean): ReadOptions {
  const errors: FieldError[] = [];
  const settings: Record<string, unknown> = { ...DEFAULTS, dryRun: input.dryRun ?? previews(input) };
  const isTold = typeof input.dryRun === "boolean" || previews(input);
  for (const { key, value, field } of pairs("config", input.config, errors)) {
    const setting = SETTINGS[key];
    if (setting === undefined) {
      const known = Object.keys(SETTINGS).join(", ");
      errors.push({ field, rule: "enum", message: `must begin with one of ${known}` });
      continue;
    }
    const [name, read, words] = setting;
    settings[name] = read(value);
    if (settings[name] === undefined) errors.push({ field, rule: "type", message: `must be ${words}` });
    else if (name === "dryRun" && isTold && settings[name] !== (input.dryRun ?? true))
      errors.push({ field, rule: "mismatch", message: "must agree with dryRun" });
  }
  if (previews(input) && input.dryRun === false)
    errors.push({ field: "dryRun", rule: "mismatch", message: "must agree with preview" });
  const mapping = pairs("mapping", input.mapping, errors, { last: true, emptyValue: true }).map(
    ({ key, value, field }) => {
      const column = goodColumn(value);
      const isKnown = column !== undefined && (ofBranch || column.of !== "branchGood");
      if (value !== "" && !isKnown)
        errors.push({ field, rule: "enum", message: `${JSON.stringify(value)} is no field of an import` });
      return { column: key, field: value === "" ? null : value };
    },
  );
  errors.push(...repeated(mapping));
  const categories = pairs("categoryMapping", input.categoryMapping, errors, { last: true }).map(
    ({ key, value }) => ({ value: key, category: value }),
  );
  errors.push(...wrongPictures(input), ...wrongCsvSettings(input.csvSettings));
  const { dryRun, ...config } = settings as unknown as ImportConfig & { dryRun: boolean };
  const { hostImageUrl, hostImageVar } = input;
  return {
    options: {
      mapping,
      categories,
      config,
      csv: csvSettings(input.csvSettings),
      hostImageUrl: textOrNull(hostImageUrl),
      hostImageVar: textOrNull(hostImageVar),
      ...(input.preview === "changes" && { showsChanges: true }),
    },
    dryRun,
    errors,
  };
}

function previews({ preview }: Partial<ImportGoodsInput>): boolean {
  return preview != null;
}

/** The pairs of a list. `last`: the last `=` separates, since headers may have some. */
function pairs(
  name: string,
  list: unknown,
  errors: FieldError[],
  { last = false, emptyValue = false } = {},
): { key: string; value: string; field: string }[] {
  const items: unknown[] = Array.isArray(list) ? list : [];
  return items.flatMap((item, index) => {
    if (typeof item !== "string") return [];
    const field = `${name}[${index}]`;
    const at = last ? item.lastIndexOf("=") : item.indexOf("=");
    const [key, value] = [item.slice(0, Math.max(at, 0)).trim(), item.slice(at + 1).trim()];
    if (key !== "" && (value !== "" || emptyValue)) return [{ key, value, field }];
    errors.push({ field, rule: "pattern", message: "must have the form name=value" });
    return [];
  });
}

function wrongPictures({ hostImageUrl, hostImageVar }: Partial<ImportGoodsInput>): FieldError[] {
  const [url, variable] = [textOrNull(hostImageUrl), textOrNull(hostImageVar)];
  const isAddress = url === null || /^(?:https?:\/\/|\{)/iu.test(url) || url === variable;
  const isUsed = variable === null || url?.includes(variable) === true;
  return [
    ...(isAddress
      ? []
      : [{ field: "hostImageUrl", rule: "url", message: "must begin with https://, http:// or {" }]),
    ...(isUsed ? [] : [{ field: "hostImageVar", rule: "mismatch", message: "must stand in hostImageUrl" }]),
  ];
}

/** A column is for one field, and a field is in one column. */
function repeated(
  mapping: readonly { readonly column: string; readonly field: string | null }[],
): FieldError[] {
  return mapping.flatMap(({ column, field }, index) => {
    const before = mapping.slice(0, index);
    const message = before.some((other) => other.column === column)
      ? `names the column ${JSON.stringify(column)} again`
      : field !== null && before.some((other) => other.field === field)
        ? `names the field ${field} again`
        : null;
    return message === null ? [] : [{ field: `mapping[${index}]`, rule: "unique", message }];
  });
}

function wrongCsvSettings(input: ImportGoodsInput["csvSettings"]): FieldError[] {
  const { inputEncoding, outputEncoding, delimiter, enclosure } = csvSettings(input);
  const encodings = Object.entries({ inputEncoding, outputEncoding }).filter(
    ([, name]) => typeof name === "string" && name !== "" && !iconv.encodingExists(name),
  );
  const isAmbiguous = typeof delimiter === "string" && delimiter !== "" && delimiter === (enclosure ?? '"');
  return [
    ...encodings.map(([name]) => ({
      field: `csvSettings.${name}`,
      rule: "enum",
      message: "is no encoding that is known",
    })),
    ...(isAmbiguous
      ? [{ field: "csvSettings.delimiter", rule: "mismatch", message: "must not be the enclosure" }]
      : []),
  ];
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function csvSettings(input: ImportGoodsInput["csvSettings"]): CsvSettings {
  const given = Object.entries(input ?? {}).filter(([, value]) => value != null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === "string" ? unescaped(value) : (value as unknown)]),
  );
}

function unescaped(text: string): string {
  return text.replace(/\\t/gu, "\t").replace(/\\r/gu, "\r").replace(/\\n/gu, "\n");
}

function readSwitch(value: string): boolean | undefined {
  return value === "true" ? true : value === "false" ? false : undefined;
}

function readType(value: string): number | undefined {
  return /^\d{1,5}$/u.test(value) && Number(value) <= MAX_TYPE ? Number(value) : undefined;
}
