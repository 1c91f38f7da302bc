const FILE_HEADER_BYTES = 14;
/** The lengths of the headers that are read; others have another form, which nobody uses any more. */
const HEADER_LENGTHS = [40, 52, 56, 108, 124];
const MASKS_AT = FILE_HEADER_BYTES + 40;
const MASK_BYTES = 12;
/** The bits of a pixel that go with each way to store pixels; JPEG and PNG within a BMP are not read. */
const BITS_OF: Readonly<Record<number, readonly number[]>> = {
  0: [1, 4, 8, 16, 24, 32],
  // Runs of one colour: a few bytes may be many pixels.
  1: [8],
  2: [4],
  // Masks say which bits of a pixel are of which colour, with 6 also how opaque it is.
  3: [16, 32],
  6: [16, 32],
};

export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  /** Rows are stored from the bottom unless the height is negative. */
  readonly isFromTop: boolean;
  readonly bits: number;
  readonly hasRuns: boolean;
  /** The place of the masks; `null` without. */
  readonly masksAt: number | null;
  readonly paletteAt: number;
  /** The number of colours in the palette. */
  readonly colors: number;
  readonly pixelsAt: number;
  /** The bytes from one row to the next one, without runs. */
  readonly rowBytes: number;
}

/**
 * Reads the header of a BMP.
 *
 * @param fileBytes is the length of the whole file.
 * @returns `null` when it has none that can be read, or when pixels are missing.
 */
export function readBmpHeader(bytes: Buffer, fileBytes: number): BmpHeader | null {
  if (bytes.length < MASKS_AT) return null;
  const headerBytes = bytes.readUInt32LE(14);
  const [width, storedHeight] = [bytes.readInt32LE(18), bytes.readInt32LE(22)];
  const [bits, compression] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)];
  if (!HEADER_LENGTHS.includes(headerBytes) || BITS_OF[compression]?.includes(bits) !== true) return null;
  const height = Math.abs(storedHeight);
  const hasRuns = compression === 1 || compression === 2;
  const masksAt = compression === 3 || compression === 6 ? MASKS_AT : null;
  const pixelsAt = bytes.readUInt32LE(10);
  const paletteAt = FILE_HEADER_BYTES + headerBytes;
  if (pixelsAt < Math.max(paletteAt, masksAt === null ? 0 : masksAt + MASK_BYTES)) return null;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  // The last row may lack what fills it up.
  const leastBytes = hasRuns ? 1 : rowBytes * (height - 1) + Math.ceil((width * bits) / 8);
  if (width < 1 || height < 1 || fileBytes < pixelsAt + leastBytes) return null;
  return {
    width,
    height,
    isFromTop: storedHeight < 0,
    bits,
    hasRuns,
    masksAt,
    paletteAt,
    colors: colorsOf(bits, bytes.readUInt32LE(46), pixelsAt - paletteAt),
    pixelsAt,
    rowBytes,
  };
}

/** A palette may be shorter than pixels have values, and ends where the pixels begin. */
function colorsOf(bits: number, declared: number, room: number): number {
  if (bits > 8) return 0;
  return Math.min(declared === 0 ? 2 ** bits : declared, 2 ** bits, Math.floor(room / 4));
}
