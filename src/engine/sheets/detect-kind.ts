import { SheetError, type SheetFormat } from "../../core/sheets/sheet.js";
import { damaged } from "./limits.js";

/** How a file is read, which its content decides: the ending of its name may be wrong. */
export type Kind = "zip" | "gzip" | "gnumeric" | "spreadsheetXml" | "html" | "csv" | "whole";

const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const BINARY_FORMATS: readonly SheetFormat[] = ["xls", "xlt"];
const CSV_FORMATS: readonly SheetFormat[] = ["csv", "tsv", "txt"];
const HTML_FORMATS: readonly SheetFormat[] = ["htm", "html"];

/** Returns the kind of a file by its first bytes, when it is no text. */
export function binaryKind(head: Buffer): Kind | undefined {
  const signature = head.subarray(0, 4).toString("latin1");
  if (signature === "PK\x03\x04" || signature === "PK\x05\x06") return "zip";
  if (signature.startsWith("\x1f\x8b")) return "gzip";
  if (head.subarray(0, OLE.length).equals(OLE)) return "whole";
  // A workbook from before Excel 5 is a plain row of records, the first of which has its version.
  return /^\x09[\0\x02\x04\x08][\x04\x06\x08\x10]\0/u.test(signature) ? "whole" : undefined;
}

/**
 * Returns the kind of a text.
 *
 * @param head its beginning.
 * @throws SheetError
 */
export function textKind(head: string, format: SheetFormat): Kind {
  if (CSV_FORMATS.includes(format)) return "csv";
  if (HTML_FORMATS.includes(format)) return "html";
  const text = head.trimStart();
  if (text.startsWith("ID;")) return "whole";
  if (text.startsWith("<")) return markupKind(text, format);
  // Many programs name a text with tabs "xls", since Excel opens it then.
  if (BINARY_FORMATS.includes(format) && text !== "" && !text.includes("\0")) return "csv";
  throw text === "" ? new SheetError("is empty") : damaged();
}

function markupKind(text: string, format: SheetFormat): Kind {
  const root = /<(?![?!])(?:[\w.-]+:)?([\w.-]+)([^>]*)/u.exec(text);
  const [, name = "", attributes = ""] = root ?? [];
  if (/^(?:html|head|body|table|meta|div)$/iu.test(name)) return "html";
  if (name === "Workbook") return /gnumeric/iu.test(attributes) ? "gnumeric" : "spreadsheetXml";
  if (format === "gnumeric") return "gnumeric";
  throw new SheetError("is XML or HTML, but no spreadsheet");
}

/** Returns the encoding that an XML declaration or a page names. */
export function declaredEncoding(head: Buffer, kind: Kind): string | undefined {
  const text = head.toString("latin1");
  const found =
    kind === "html"
      ? /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/iu.exec(text)
      : /^\s*(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["']([\w-]+)["']/iu.exec(text);
  return found?.[1];
}
