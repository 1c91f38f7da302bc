import { encode } from "bmp-ts";
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
  const data = await plain(width, height, background).ensureAlpha().raw().toBuffer();
  // The encoder takes the bytes of a pixel as alpha, blue, green, red.
  return encode({ data: reversedPixels(data), width, height, bitPP: 24 }).data;
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
  const bytes = Buffer.alloc(1_080);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(1_078, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(8, 28);
  bytes.writeUInt32LE(1, 30);
  bytes.writeUInt8(1, 1_079);
  return bytes;
}

function plain(width: number, height: number, background: string): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

function reversedPixels(data: Buffer): Buffer {
  const reversed = Buffer.from(data);
  for (let at = 0; at < data.length; at += 4) reversed.subarray(at, at + 4).reverse();
  return reversed;
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
