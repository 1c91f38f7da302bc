/**
 * A piece has about this many bytes. They are beside the heap, whose collections would have to copy the texts of large answers
 * while everybody waits.
 */
const PIECE_BYTES = 65_536;
/** A character takes at most so many bytes. */
export const MOST_BYTES = 3;

/** Writes texts as bytes, in pieces. */
export class BytePieces {
  readonly written: Buffer[] = [];
  protected piece = Buffer.allocUnsafe(PIECE_BYTES);
  protected used = 0;

  /** @param onPiece gets each piece as soon as it is written. */
  constructor(private readonly onPiece: (piece: Buffer) => void = () => undefined) {}

  text(text: string): void {
    if (this.used + text.length * MOST_BYTES > this.piece.length) this.makeRoom(Buffer.byteLength(text));
    this.used += this.piece.write(text, this.used);
  }

  /** Ends the last piece. */
  end(): void {
    if (this.used === 0) return;
    const piece = this.piece.subarray(0, this.used);
    this.written.push(piece);
    this.onPiece(piece);
    this.used = 0;
  }

  protected makeRoom(bytes: number): void {
    if (this.used + bytes <= this.piece.length) return;
    this.end();
    this.piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, bytes));
  }
}
