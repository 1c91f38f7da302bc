import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import iconv from "iconv-lite";
import { SheetError, type SheetRow, type SheetSource } from "../../core/sheets/sheet.js";
import { findDialect, type CsvDialect } from "./csv-dialect.js";
import { binaryKind, declaredEncoding, textKind, type Kind } from "./detect-kind.js";
import { damaged, MOST_PART_BYTES, tooLarge } from "./limits.js";
import { Progress } from "./progress.js";
import { decodedFile, decodedHead, findEncoding, type Encoding } from "./text-encoding.js";

const HEAD_BYTES = 64 * 1024;

/** A sheet whose rows can be read, once. */
export interface OpenSheet {
  readonly rows: AsyncIterable<SheetRow[]>;
  readonly progress: Progress;
  /** How its text is written, when it is one with columns. */
  readonly text?: { readonly encoding: Encoding; readonly dialect: CsvDialect };
}

/** What is to be read, as the process that reads it receives it. */
export type Source = Pick<SheetSource, "path" | "format" | "csv">;

/**
 * Each reader is loaded when a sheet needs it, since each sheet has a process of its own, and to load all readers takes
 * longer than to read most sheets.
 *
 * @throws SheetError for a file that no reader knows.
 */
export async function openSheet(source: Source): Promise<OpenSheet> {
  const { path, csv = {} } = source;
  const head = await headOf(path);
  const progress = new Progress();
  progress.expect((await stat(path)).size);
  switch (binaryKind(head)) {
    case "zip":
      return { rows: readArchive(path, progress), progress };
    case "gzip": {
      const { readGnumeric } = await import("./read-gnumeric.js");
      return { rows: readGnumeric(inflated(path, progress)), progress };
    }
    case "whole":
      return { rows: readAsWhole(path, progress), progress };
    default:
      return openText(source, head, progress, csv.inputEncoding);
  }
}

async function openText(
  { path, format, csv = {} }: Source,
  head: Buffer,
  progress: Progress,
  told?: string,
): Promise<OpenSheet> {
  const guess = await findEncoding(path, head, told);
  const kind = textKind(decodedHead(head, guess), format);
  const encoding = told === undefined ? await declared(path, head, kind, guess) : guess;
  const texts = decodedFile(path, encoding, progress);
  switch (kind) {
    case "html": {
      const { readHtml } = await import("./read-html.js");
      return { rows: readHtml(texts), progress };
    }
    case "spreadsheetXml": {
      const { readSpreadsheetXml } = await import("./read-spreadsheet-xml.js");
      return { rows: readSpreadsheetXml(texts), progress };
    }
    case "gnumeric": {
      const { readGnumeric } = await import("./read-gnumeric.js");
      return { rows: readGnumeric(texts), progress };
    }
    case "whole":
      return { rows: readAsWhole(path, progress), progress };
    default: {
      const dialect = findDialect(decodedHead(head, encoding), format, csv);
      const { readCsv } = await import("./read-csv.js");
      return { rows: readCsv(path, encoding, dialect, progress), progress, text: { encoding, dialect } };
    }
  }
}

/** A byte-order mark decides, then what the text itself declares. */
async function declared(path: string, head: Buffer, kind: Kind, guess: Encoding): Promise<Encoding> {
  const name = guess.hasBom || guess.name.startsWith("utf-16") ? undefined : declaredEncoding(head, kind);
  return name !== undefined && iconv.encodingExists(name) ? findEncoding(path, head, name) : guess;
}

async function* readArchive(path: string, progress: Progress): AsyncGenerator<SheetRow[]> {
  const { ZipArchive } = await import("./zip-archive.js");
  const archive = await ZipArchive.open(path);
  try {
    if (archive.has("content.xml")) {
      const { readOds } = await import("./read-ods.js");
      yield* readOds(archive, progress);
    } else if (archive.has("xl/workbook.bin")) {
      throw new SheetError("is an xlsb, which is not read: save it as xlsx");
    } else {
      const { readXlsx } = await import("./read-xlsx.js");
      yield* readXlsx(archive, progress);
    }
  } finally {
    archive.close();
  }
}

/** SheetJS and its code pages take memory that other formats do not need. */
async function* readAsWhole(path: string, progress: Progress): AsyncGenerator<SheetRow[]> {
  const { readWhole } = await import("./read-whole.js");
  yield* readWhole(path, progress);
}

async function* inflated(path: string, progress: Progress): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const file = createReadStream(path);
  file.on("data", (bytes) => progress.add(bytes.length));
  pipeline(file, gunzip, () => undefined);
  const decoder = new TextDecoder();
  let total = 0;
  for await (const bytes of gunzip as AsyncIterable<Buffer>) {
    total += bytes.length;
    if (total > MOST_PART_BYTES) throw tooLarge();
    yield decoder.decode(bytes, { stream: true });
  }
  if (total === 0) throw damaged();
  yield decoder.decode();
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
