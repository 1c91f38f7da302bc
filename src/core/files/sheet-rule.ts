import type { SheetFormat } from "../sheets/sheet.js";

/** What an uploaded spreadsheet has to be. The ending of its name decides its format, since a text does not show it. */
export interface SheetRule {
  readonly formats: readonly SheetFormat[];
  readonly maxKiB: number;
}

/** The rule in words, for the description of its field. */
export function describeSheet({ formats, maxKiB }: SheetRule): string {
  return `${formats.slice(0, -1).join(", ")} or ${formats.at(-1)} by the ending of its name, at most ${maxKiB} KiB`;
}

/** The format that the ending of a name stands for; `null` for an ending that the rule does not accept. */
export function formatOf(name: string, { formats }: Pick<SheetRule, "formats">): SheetFormat | null {
  const ending = /\.(?<ending>[a-z]+)$/iu.exec(name.trim())?.groups?.["ending"]?.toLowerCase();
  return formats.find((format) => format === ending) ?? null;
}
