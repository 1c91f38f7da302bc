import { stringify, type Options } from "csv-stringify/sync";
import iconv from "iconv-lite";
import type { CsvSettings, SheetFormat, SheetRow } from "../../core/sheets/sheet.js";
import { findDialect } from "./csv-dialect.js";
import type { OpenSheet } from "./open-sheet.js";
import { namedEncoding } from "./text-encoding.js";

const BOM = "\ufeff";

/** Writes a copy of a text with columns as the settings ask for it; what they leave open stays as it was. */
export async function* copyAsCsv(
  format: SheetFormat,
  settings: CsvSettings,
  source: OpenSheet["text"],
  rows: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<Buffer> {
  const excel = settings.excelCompatibility ?? false;
  const dialect = source?.dialect ?? findDialect("", format, settings);
  const { name, hasBom } =
    settings.outputEncoding === undefined
      ? (source?.encoding ?? { name: "utf-8", hasBom: false })
      : namedEncoding(settings.outputEncoding, false);
  const lineEnding = excel ? "\r\n" : dialect.lineEnding;
  const options: Options = {
    delimiter: dialect.delimiter,
    quote: dialect.enclosure === "" ? false : dialect.enclosure,
    escape: dialect.enclosure === "" ? "" : dialect.escape,
    record_delimiter: lineEnding,
    quoted_match: /[\r\n]/u,
    // Else a blank cell would be lost between delimiters that count as one.
    quoted_empty: dialect.contiguous,
  };
  const encoder = iconv.getEncoder(name, { addBOM: false });
  const isUnicode = /^utf/iu.test(name);
  if ((settings.useBom ?? (excel || hasBom)) && isUnicode) yield Buffer.from(encoder.write(BOM));
  if (settings.includeSeparatorLine ?? (excel || dialect.hasSeparatorLine)) {
    yield Buffer.from(encoder.write(`sep=${dialect.delimiter}${lineEnding}`));
  }
  let last = 0;
  for await (const some of rows) {
    let text = "";
    for (const { number, cells } of some) {
      text += lineEnding.repeat(number - last - 1);
      text += stringify(
        [cells.map((cell) => (typeof cell === "object" ? (cell?.error ?? "") : cell))],
        options,
      );
      last = number;
    }
    if (text !== "") yield Buffer.from(encoder.write(text));
  }
  const end = encoder.end();
  if (end !== undefined) yield Buffer.from(end);
}
