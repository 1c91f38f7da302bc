import { open } from "node:fs/promises";
import sharp from "sharp";
import type { PictureType } from "../../core/files/picture-rule.js";
import { readBmpHeader } from "./bmp.js";

/** A picture with more pixels is refused by its header, since decoding it would take too much memory. */
export const MOST_PIXELS = 40_000_000;

const HEADER_BYTES = 64;

const MAGIC: readonly (readonly [PictureType, Buffer])[] = [
  ["jpeg", Buffer.from([0xff, 0xd8, 0xff])],
  ["png", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  ["bmp", Buffer.from("BM")],
];

// No other reader ever sees what callers send, whatever the bytes look like.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng"] });
sharp.cache(false);
sharp.concurrency(1);

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What the first bytes of a file show; nothing is decoded for that. */
export interface PictureHeader {
  readonly type: PictureType | null;
  /** The size as the picture is shown, which a camera may have turned; `null` for what cannot be read. */
  readonly size: Size | null;
}

export async function readPictureHeader({
  path,
  bytes,
}: {
  path: string;
  bytes: number;
}): Promise<PictureHeader> {
  const header = bytes === 0 ? Buffer.alloc(0) : await firstBytes(path);
  const type = typeOf(header);
  if (type === null) return { type, size: null };
  return { type, size: type === "bmp" ? readBmpHeader(header, bytes) : await sizeOf(path) };
}

export function typeOf(bytes: Buffer): PictureType | null {
  return MAGIC.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic))?.[0] ?? null;
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<Size | null> {
  const header = sharp(path, { limitInputPixels: false });
  return header.metadata().then(
    ({ autoOrient }) => autoOrient,
    () => null,
  );
}
