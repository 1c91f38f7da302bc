import { SheetError, type CsvSettings, type SheetFormat } from "../../core/sheets/sheet.js";

/** How a text with columns is written. */
export interface CsvDialect {
  readonly delimiter: string;
  /** Stands before and after a cell that has delimiters; empty when there is none. */
  readonly enclosure: string;
  readonly escape: string;
  readonly lineEnding: string;
  /** Says whether the first line is `sep=;`, which is no row. */
  readonly hasSeparatorLine: boolean;
  readonly contiguous: boolean;
}

const DELIMITERS = [",", ";", "\t", "|"];
const NAMES: Readonly<Record<string, string>> = {
  tab: "\t",
  comma: ",",
  semicolon: ";",
  pipe: "|",
  space: " ",
  crlf: "\r\n",
  lf: "\n",
  cr: "\r",
  none: "",
};
const SEPARATOR_LINE = /^sep=(.)\r?(?:\n|$)/u;
const MOST_LENGTH = 8;

/** Finds out what the settings leave open, from the first lines of the text. */
export function findDialect(head: string, format: SheetFormat, settings: CsvSettings): CsvDialect {
  const separator = SEPARATOR_LINE.exec(head);
  const enclosure = mark(settings.enclosure) ?? '"';
  const header = firstLine(separator === null ? head : head.slice(separator[0].length), enclosure);
  const delimiter =
    filled(mark(settings.delimiter)) ??
    separator?.[1] ??
    (format === "tsv" ? "\t" : (mostFrequent(header) ?? (format === "txt" ? "\t" : ",")));
  return {
    delimiter,
    enclosure,
    escape: filled(mark(settings.escapeCharacter)) ?? enclosure,
    lineEnding: filled(mark(settings.lineEnding)) ?? /\r\n|\n|\r/u.exec(head)?.[0] ?? "\n",
    hasSeparatorLine: separator !== null,
    contiguous: settings.contiguous ?? false,
  };
}

/** Reads a setting: the characters themselves, `\t` written out, or their name. */
function mark(setting: string | undefined): string | undefined {
  if (setting === undefined) return undefined;
  const text =
    NAMES[setting.trim().toLowerCase()] ??
    setting.replaceAll("\\t", "\t").replaceAll("\\r", "\r").replaceAll("\\n", "\n");
  if (text.length > MOST_LENGTH)
    throw new SheetError(`has settings with ${setting.slice(0, 50)}, which is too long`);
  return text;
}

function filled(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/** Returns the first line that is not blank, without its enclosed cells. */
function firstLine(text: string, enclosure: string): string {
  let line = "";
  let isEnclosed = false;
  for (const character of text) {
    if (character === enclosure) isEnclosed = !isEnclosed;
    else if (isEnclosed) continue;
    else if (character !== "\n" && character !== "\r") line += character;
    else if (line.trim() !== "") break;
    else line = "";
  }
  return line;
}

function mostFrequent(line: string): string | undefined {
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length - 1);
  const most = Math.max(...counts);
  return most === 0 ? undefined : DELIMITERS[counts.indexOf(most)];
}
