import { BytePieces, MOST_BYTES } from "./byte-pieces.js";

/** So much of a long text is written at a time. */
const CHUNK_CHARACTERS = 2_048;
/** A character takes at most so many bytes within a text of JSON. */
const MOST_BYTES_ESCAPED = 6;

const ESCAPED = /["\\\u0000-\u001F]/u;
const BACKSLASH = "\\".charCodeAt(0);
const ZERO = "0".charCodeAt(0);
const U = "u".charCodeAt(0);
const DIGITS = Buffer.from("0123456789abcdef");

/** What stands behind the backslash for a byte, 0 for one that stays as it is. `u` is followed by four digits. */
const ESCAPES = new Uint8Array(256);
ESCAPES.fill(U, 0, 0x20);
for (const [byte, letter] of ['""', "\\\\", "\bb", "\tt", "\nn", "\ff", "\rr"])
  ESCAPES[(byte as string).charCodeAt(0)] = (letter as string).charCodeAt(0);

/** The bytes of a chunk before its escapes; nobody else runs while it is used. */
const chunkBytes = Buffer.allocUnsafeSlow(CHUNK_CHARACTERS * MOST_BYTES);

/** Writes JSON as bytes, in pieces. A long text gets from the value to the bytes without a copy on the heap. */
export class JsonPieces extends BytePieces {
  /** Writes a long text as `JSON.stringify` does, and stops after each chunk. */
  *longText(text: string): Generator<void> {
    // Half of a character has an escape of its own, which is not worth to be known here.
    if (!text.isWellFormed()) return this.text(JSON.stringify(text));
    this.text('"');
    for (let at = 0; at < text.length;) {
      const end = at + CHUNK_CHARACTERS - (isFirstHalf(text.charCodeAt(at + CHUNK_CHARACTERS - 1)) ? 1 : 0);
      const chunk = text.slice(at, end);
      this.makeRoom(chunk.length * MOST_BYTES_ESCAPED);
      if (ESCAPED.test(chunk)) this.escape(chunk);
      else this.used += this.piece.write(chunk, this.used);
      at = end;
      yield;
    }
    this.text('"');
  }

  private escape(chunk: string): void {
    const { piece } = this;
    const end = chunkBytes.write(chunk);
    let { used } = this;
    for (let at = 0; at < end; at += 1) {
      const byte = chunkBytes[at] as number;
      const letter = ESCAPES[byte] as number;
      if (letter === 0) piece[used++] = byte;
      else {
        piece[used++] = BACKSLASH;
        piece[used++] = letter;
        if (letter !== U) continue;
        piece[used++] = ZERO;
        piece[used++] = ZERO;
        piece[used++] = DIGITS[byte >> 4] as number;
        piece[used++] = DIGITS[byte & 15] as number;
      }
    }
    this.used = used;
  }
}

/** Whether a character of a text is the first half of one beyond 16 bits. */
function isFirstHalf(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}
