import { readBmpHeader, type BmpHeader } from "./bmp.js";

/** Masks of the colours red, green and blue where a file has none. */
const USUAL_MASKS: Readonly<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x03e0, 0x001f],
  32: [0xff0000, 0x00ff00, 0x0000ff],
};

/** Gives the colour of a pixel as 0xRRGGBB, by its row as it is stored. */
type ColorAt = (row: number, x: number) => number;

export interface BmpPixels {
  /** Red, green and blue of each pixel, from the top. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Decodes a BMP. How opaque it is does not count. @throws Error for what is broken. */
export function decodeBmp(bytes: Buffer): BmpPixels {
  const header = readBmpHeader(bytes, bytes.length);
  if (header === null) throw new Error("the header cannot be read, or pixels are missing");
  const { width, height, isFromTop } = header;
  const colorAt = colorsIn(bytes, header);
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    let at = (isFromTop ? row : height - 1 - row) * width * 3;
    for (let x = 0; x < width; x += 1) {
      const color = colorAt(row, x);
      data[at] = color >> 16;
      data[at + 1] = color >> 8;
      data[at + 2] = color;
      at += 3;
    }
  }
  return { data, width, height };
}

function colorsIn(bytes: Buffer, header: BmpHeader): ColorAt {
  const { bits, pixelsAt, rowBytes } = header;
  if (bits <= 8) return colorsOfPalette(bytes, header);
  // Blue comes first, so that the bytes are the colour.
  if (bits === 24) return (row, x) => bytes.readUIntLE(pixelsAt + row * rowBytes + x * 3, 3);
  const [red, green, blue] = masksOf(bytes, header).map(partOf) as [Part, Part, Part];
  return (row, x) => {
    const at = pixelsAt + row * rowBytes + (x * bits) / 8;
    const value = bits === 16 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at);
    return (red(value) << 16) | (green(value) << 8) | blue(value);
  };
}

function colorsOfPalette(bytes: Buffer, header: BmpHeader): ColorAt {
  const { width, paletteAt, colors } = header;
  const palette = Array.from({ length: colors }, (_, n) => bytes.readUIntLE(paletteAt + n * 4, 3));
  const indexes = header.hasRuns ? indexesOfRuns(bytes, header) : null;
  return (row, x) => {
    const index = indexes === null ? packedIndex(bytes, header, row, x) : indexes[row * width + x];
    const color = palette[index as number];
    if (color === undefined) throw new Error(`the palette has no colour ${index}`);
    return color;
  };
}

/** The first pixel of a byte is in its highest bits. */
function packedIndex(bytes: Buffer, { bits, pixelsAt, rowBytes }: BmpHeader, row: number, x: number): number {
  const bit = x * bits;
  const byte = bytes.readUInt8(pixelsAt + row * rowBytes + (bit >> 3));
  return (byte >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
}

/**
 * Reads runs: a count and what is repeated so often, or 0 and what to do: 0 ends the row, 1 the picture, 2 skips pixels and
 * rows, and more are so many pixels one by one, filled up to an even number of bytes. What is skipped has the first colour
 * of the palette, and what a row has too much is left out, as browsers do.
 *
 * @throws Error when the runs leave the picture, or end before it does.
 */
function indexesOfRuns(bytes: Buffer, { width, height, bits, pixelsAt }: BmpHeader): Uint8Array {
  const indexes = new Uint8Array(width * height);
  let [at, row, x] = [pixelsAt, 0, 0];
  const put = (count: number, byteOf: (n: number) => number): void => {
    for (let n = 0; n < count && x < width; n += 1, x += 1) {
      const byte = byteOf(n);
      // Of four bits, the pixels of a byte take turns, the higher ones first.
      indexes[row * width + x] = bits === 8 ? byte : n % 2 === 0 ? byte >> 4 : byte & 15;
    }
  };
  while (row < height) {
    const [count, value] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
    at += 2;
    if (count > 0) put(count, () => value);
    else if (value === 0) [row, x] = [row + 1, 0];
    else if (value === 1) break;
    else if (value === 2) {
      [x, row] = [x + bytes.readUInt8(at), row + bytes.readUInt8(at + 1)];
      if (x > width || row > height) throw new Error("runs lead out of the picture");
      at += 2;
    } else {
      const first = at;
      put(value, (n) => bytes.readUInt8(first + Math.floor((n * bits) / 8)));
      at += Math.ceil((value * bits) / 16) * 2;
    }
  }
  return indexes;
}

type Part = (value: number) => number;

function masksOf(bytes: Buffer, { bits, masksAt }: BmpHeader): readonly number[] {
  if (masksAt === null) return USUAL_MASKS[bits] as readonly number[];
  return [0, 4, 8].map((byte) => bytes.readUInt32LE(masksAt + byte));
}

/** The part of a colour that a mask shows, from 0 to 255. */
function partOf(mask: number): Part {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / most);
}
