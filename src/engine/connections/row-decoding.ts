import { DataRowMessage } from "pg-protocol/dist/messages.js";
import { Parser } from "pg-protocol/dist/parser.js";

/** The part of the parser of `pg` that takes one message of the server, whose body begins at `offset`. */
interface PacketParser {
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): unknown;
}

/** The letter `D`: a row. */
const ROW = 68;
/** The length of a message counts itself. */
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
const NULL_LENGTH = -1;
const LAST_OF_ASCII = 127;
/** Texts are parts of that of their row, which stays while one of them does: rows that are longer are left to `pg`. */
const MOST_BYTES = 4_096;

/**
 * Has `pg` decode a row as one text, of which its values are parts; `pg` decodes each value by a call of its own, which takes longer
 * than all that is made of it. Values beyond ASCII are decoded as `pg` does.
 */
export function decodeRowsWhole(): void {
  const parser = Parser.prototype as unknown as PacketParser;
  const { handlePacket } = parser;
  if (handlePacket === handleRow) return;
  handleOther = handlePacket;
  parser.handlePacket = handleRow;
}

let handleOther: PacketParser["handlePacket"];

function handleRow(this: unknown, offset: number, code: number, length: number, bytes: Buffer): unknown {
  return code === ROW && length <= MOST_BYTES
    ? new DataRowMessage(length, valuesOf(bytes, offset, offset + length - LENGTH_BYTES))
    : handleOther.call(this, offset, code, length, bytes);
}

function valuesOf(bytes: Buffer, start: number, end: number): (string | null)[] {
  const text = bytes.toString("latin1", start, end);
  const values = new Array<string | null>(((bytes[start] as number) << 8) | (bytes[start + 1] as number));
  let at = start + COUNT_BYTES;
  for (let index = 0; index < values.length; index += 1) {
    const length = int32At(bytes, at);
    at += LENGTH_BYTES;
    if (length === NULL_LENGTH) {
      values[index] = null;
      continue;
    }
    const after = at + length;
    values[index] = isAscii(bytes, at, after)
      ? text.substring(at - start, after - start)
      : bytes.toString("utf8", at, after);
    at = after;
  }
  return values;
}

/** The same as `bytes.readInt32BE(at)`, which is looked up on the buffer for each value. */
function int32At(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] as number) > LAST_OF_ASCII) return false;
  return true;
}
