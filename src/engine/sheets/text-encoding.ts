import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import iconv from "iconv-lite";
import { SheetError } from "../../core/sheets/sheet.js";
import type { Progress } from "./progress.js";

/** How a text is written into bytes. */
export interface Encoding {
  readonly name: string;
  readonly hasBom: boolean;
}

const BOMS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** What the programs write that write no UTF-8. */
const FALLBACK = "windows-1252";
/** UTF-16 of a Latin text has a NUL in most of its characters. */
const LEAST_NULS = 0.3;
const MOST_UTF8_BYTES = 4;

/** Encodings whose name in a file differs from what was written. */
const SUPERSETS: Readonly<Record<string, string>> = {
  "iso-8859-1": FALLBACK,
  latin1: FALLBACK,
  "us-ascii": FALLBACK,
  ascii: FALLBACK,
};

/** Returns the encoding by its name, as browsers understand that. */
export function namedEncoding(name: string, hasBom: boolean): Encoding {
  const plain = name.trim().toLowerCase();
  if (!iconv.encodingExists(plain))
    throw new SheetError(`is told to be in ${name}, an encoding that is not known`);
  return { name: SUPERSETS[plain] ?? plain, hasBom };
}

/**
 * Finds the encoding of a text.
 *
 * @param head its first bytes.
 * @param told the encoding that the caller names, or the text itself.
 */
export async function findEncoding(path: string, head: Buffer, told?: string): Promise<Encoding> {
  const bom = BOMS.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (told !== undefined && told.trim() !== "") return namedEncoding(told, bom !== undefined);
  if (bom !== undefined) return { name: bom[0], hasBom: true };
  const half = Math.floor(head.length / 2);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < half; index += 1) {
    if (head[index * 2] === 0) even += 1;
    if (head[index * 2 + 1] === 0) odd += 1;
  }
  if (odd > half * LEAST_NULS && odd > even) return { name: "utf-16le", hasBom: false };
  if (even > half * LEAST_NULS && even > odd) return { name: "utf-16be", hasBom: false };
  return { name: (await isAllUtf8(path)) ? "utf-8" : FALLBACK, hasBom: false };
}

/** Returns whether the whole file is UTF-8, since the first umlaut may stand in its last row. */
async function isAllUtf8(path: string): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    rest = bytes.subarray(end);
  }
  return rest.length === 0 || isUtf8(rest);
}

/** Returns where the last whole character ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(MOST_UTF8_BYTES, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return bytes.length - back;
  }
  return bytes.length;
}

/** Decodes a file piece by piece, without its byte-order mark. */
export async function* decodedFile(
  path: string,
  { name }: Encoding,
  progress: Progress,
): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(name);
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    progress.add(bytes.length);
    yield decoder.write(bytes);
  }
  yield decoder.end() ?? "";
}

/** Decodes the beginning of a file. */
export function decodedHead(head: Buffer, { name }: Encoding): string {
  return iconv.decode(head, name);
}
