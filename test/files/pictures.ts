import sharp, { type Sharp } from "sharp";

interface Size {
  readonly width: number;
  readonly height?: number;
}

/** Makes a picture of one colour; without a height it is a square. */
export function jpeg({ width, height = width }: Size, background = "#336699"): Promise<Buffer> {
  return plain(width, height, background).jpeg().toBuffer();
}

export function png({ width, height = width }: Size, background = "#336699"): Promise<Buffer> {
  return plain(width, height, background).png().toBuffer();
}

export async function bmp({ width, height = width }: Size, background = "#336699"): Promise<Buffer> {
  const [red, green, blue] = await plain(1, 1, background).raw().toBuffer();
  const row = Buffer.concat([
    Buffer.alloc(width * 3, Buffer.from([blue, green, red] as number[])),
    Buffer.alloc(width % 4),
  ]);
  return bitmap({ width, height, bits: 24, pixels: Buffer.alloc(row.length * height, row) });
}

interface Bitmap {
  readonly width: number;
  /** Negative for rows from the top. */
  readonly height: number;
  readonly bits: number;
  /** 1 and 2 are runs, 3 is masks. */
  readonly compression?: number;
  /** Colours as 0xRRGGBB. */
  readonly palette?: readonly number[];
  /** The declared number of colours. */
  readonly colors?: number;
  /** What stands between header and palette. */
  readonly masks?: readonly number[];
  readonly pixels: Buffer | readonly number[];
}

/** A BMP by its parts, whatever they are. */
export function bitmap({
  width,
  height,
  bits,
  compression = 0,
  palette = [],
  colors = palette.length,
  masks = [],
  pixels,
}: Bitmap): Buffer {
  const header = Buffer.alloc(54);
  const table = Buffer.alloc((masks.length + palette.length) * 4);
  [...masks, ...palette].forEach((value, n) => table.writeUInt32LE(value, n * 4));
  header.write("BM");
  header.writeUInt32LE(header.length + table.length + pixels.length, 2);
  header.writeUInt32LE(header.length + table.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  header.writeUInt32LE(colors, 46);
  return Buffer.concat([header, table, Buffer.from(pixels)]);
}

/** A PNG whose header promises so many pixels, and whose data are few. */
export async function promising({ width, height = width }: Size): Promise<Buffer> {
  const bytes = await png({ width: 1 });
  const header = Buffer.from(bytes.subarray(12, 29));
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  const checked = Buffer.alloc(4);
  checked.writeUInt32BE(crc32(header));
  return Buffer.concat([bytes.subarray(0, 12), header, checked, bytes.subarray(33)]);
}

/** A BMP of 1,080 bytes: a palette of black and the end of a picture that has no run of pixels. */
export function emptyRuns({ width, height = width }: Size): Buffer {
  const palette = Array.from({ length: 256 }, () => 0);
  return bitmap({ width, height, bits: 8, compression: 1, palette, colors: 0, pixels: [0, 1] });
}

function plain(width: number, height: number, background: string): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
