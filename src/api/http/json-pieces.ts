/**
 * A piece has about this many bytes. They are beside the heap, whose collections would have to copy the texts of large answers
 * while everybody waits.
 */
const PIECE_BYTES = 65_536;
/** So much of a long text is written at a time. */
const CHUNK_CHARACTERS = 2_048;
/** A character takes at most so many bytes, and so many within a text of JSON. */
const MOST_BYTES = 3;
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
export class JsonPieces {
  readonly written: Buffer[] = [];
  private piece = Buffer.allocUnsafe(PIECE_BYTES);
  private used = 0;

  /** @param onPiece gets each piece as soon as it is written. */
  constructor(private readonly onPiece: (piece: Buffer) => void) {}

  /** Writes a text that is JSON already. */
  json(text: string): void {
    if (this.used + text.length * MOST_BYTES > this.piece.length) this.makeRoom(Buffer.byteLength(text));
    this.used += this.piece.write(text, this.used);
  }

  /** Writes a long text as `JSON.stringify` does, and stops after each chunk. */
  *longText(text: string): Generator<void> {
    // Half of a character has an escape of its own, which is not worth to be known here.
    if (!text.isWellFormed()) return this.json(JSON.stringify(text));
    this.json('"');
    for (let at = 0; at < text.length;) {
      const end = at + CHUNK_CHARACTERS - (isFirstHalf(text.charCodeAt(at + CHUNK_CHARACTERS - 1)) ? 1 : 0);
      const chunk = text.slice(at, end);
      this.makeRoom(chunk.length * MOST_BYTES_ESCAPED);
      if (ESCAPED.test(chunk)) this.escape(chunk);
      else this.used += this.piece.write(chunk, this.used);
      at = end;
      yield;
    }
    this.json('"');
  }

  /** Ends the last piece. */
  end(): void {
    if (this.used === 0) return;
    const piece = this.piece.subarray(0, this.used);
    this.written.push(piece);
    this.onPiece(piece);
    this.used = 0;
  }

  private makeRoom(bytes: number): void {
    if (this.used + bytes <= this.piece.length) return;
    this.end();
    this.piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, bytes));
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
