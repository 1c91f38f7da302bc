import { open, readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { DomainError, unavailable, type FieldError } from "../../core/errors/domain-error.js";
import { describePicture, type PictureRule, type PictureType } from "../../core/files/picture-rule.js";
import { fileTooLarge, type Picture } from "../../core/files/upload.js";
import { FairTurns } from "../limits/fair-turns.js";
import type { UploadedPicture } from "../validation/validator.js";
import { bmpSize, decodeBmp } from "./bmp.js";

/** A picture with more pixels is refused by its header, since decoding it would take too much memory. */
const MOST_PIXELS = 40_000_000;
/** The longer side of each size, at most. */
const LARGE_PIXELS = 2_560;
const MEDIUM_PIXELS = 1_024;
const SMALL_PIXELS = 320;
const JPEG_QUALITY = 85;
/** Pictures that are decoded at once: each takes a core, and threads that other work waits for. */
const DECODED_AT_ONCE = 2;
/** Decoding takes no longer than this. */
const DECODING_SECONDS = 5;
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

const turns = new FairTurns({ most: DECODED_AT_ONCE, mostOfOne: DECODED_AT_ONCE });

/**
 * Checks a picture by the first of its bytes, before anything is decoded.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE.
 */
export async function unfitHeader({ field, file, rule }: UploadedPicture): Promise<FieldError | null> {
  if (file.bytes > rule.maxKiB * 1024) throw fileTooLarge(field, rule.maxKiB);
  const header = file.bytes === 0 ? Buffer.alloc(0) : await readHeader(file.path);
  const type = typeOf(header);
  if (type === null || !rule.types.includes(type)) return noPicture(field, rule);
  const size = await (type === "bmp" ? bmpSize(header) : sizeOf(file.path));
  if (size === null || size.width < 1 || size.height < 1) return noPicture(field, rule);
  return fits(size, rule) ? null : wrongSize(field, rule, size);
}

/**
 * Decodes pictures and writes them anew, in both sizes: of what was sent only the picture is left, without the data
 * around it.
 *
 * @param waiting names whose turn it is, since companies take turns, and how long it may take to come.
 * @returns the wrong fields.
 * @throws DomainError UNAVAILABLE when it takes too long.
 */
export async function makePictures(
  pictures: readonly UploadedPicture[],
  waiting: { owner: string; patienceMs: number },
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const { field, file, rule } of pictures) {
    if (file.picture !== null) continue;
    try {
      file.picture = await inTurn(waiting, () => makePicture(file.path));
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (String(error).includes("timeout:")) throw tooSlow();
      errors.push(noPicture(field, rule));
    }
  }
  return errors;
}

async function inTurn<T>(waiting: { owner: string; patienceMs: number }, work: () => Promise<T>): Promise<T> {
  const owner = turns.owner(waiting.owner);
  if (!turns.begin(owner) && !(await turns.wait(owner, waiting.patienceMs))) throw tooSlow();
  return work().finally(() => turns.end(owner));
}

async function makePicture(path: string): Promise<Picture> {
  const bytes = await readFile(path);
  const isJpeg = typeOf(bytes) === "jpeg";
  const source = await opened(bytes);
  // One decoding serves both sizes.
  const { data, info } = await source
    .autoOrient()
    .resize({ width: LARGE_PIXELS, height: LARGE_PIXELS, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .timeout({ seconds: DECODING_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = (): Sharp => sharp(data, { raw: { width, height, channels } });
  const written = (picture: Sharp): Promise<Buffer> =>
    (isJpeg ? picture.jpeg({ quality: JPEG_QUALITY }) : picture.png())
      .timeout({ seconds: DECODING_SECONDS })
      .toBuffer();
  const fitted = {
    width: SMALL_PIXELS,
    height: SMALL_PIXELS,
    fit: "inside",
    withoutEnlargement: true,
  } as const;
  return {
    contentType: isJpeg ? "image/jpeg" : "image/png",
    width,
    height,
    large: await written(pixels()),
    small: await written(pixels().resize(fitted)),
  };
}

/** Makes a smaller size of a picture from its large one. @throws Error for what is no picture. */
export async function renditionOf(large: Buffer, size: "medium" | "small"): Promise<Buffer> {
  const pixels = size === "medium" ? MEDIUM_PIXELS : SMALL_PIXELS;
  const fitted = sharp(large, { limitInputPixels: MOST_PIXELS, failOn: "error" })
    .timeout({ seconds: DECODING_SECONDS })
    .resize({ width: pixels, height: pixels, fit: "inside", withoutEnlargement: true });
  return (typeOf(large) === "jpeg" ? fitted.jpeg({ quality: JPEG_QUALITY }) : fitted.png()).toBuffer();
}

/** Whether the bytes of a stored picture can be decoded to their end. @throws Error when it takes too long. */
export async function isWhole(large: Buffer): Promise<boolean> {
  try {
    await sharp(large, { limitInputPixels: MOST_PIXELS, failOn: "error" })
      .timeout({ seconds: DECODING_SECONDS })
      .raw()
      .toBuffer();
    return true;
  } catch (error) {
    if (String(error).includes("timeout:")) throw error;
    return false;
  }
}

async function opened(bytes: Buffer): Promise<Sharp> {
  if (typeOf(bytes) !== "bmp") return sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error" });
  const { data, width, height } = await decodeBmp(bytes, DECODING_SECONDS * 1_000);
  return sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
}

async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function typeOf(bytes: Buffer): PictureType | null {
  return MAGIC.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic))?.[0] ?? null;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size as the picture is shown, which a camera may have turned; `null` for what cannot be read. */
async function sizeOf(path: string): Promise<Size | null> {
  const header = sharp(path, { limitInputPixels: false });
  return header.metadata().then(
    ({ autoOrient }) => autoOrient,
    () => null,
  );
}

function fits({ width, height }: Size, { minWidth = 1, minHeight = 1, ratio }: PictureRule): boolean {
  const hasRatio = ratio === undefined || width * ratio[1] === height * ratio[0];
  return width >= minWidth && height >= minHeight && hasRatio && width * height <= MOST_PIXELS;
}

function noPicture(field: string, rule: PictureRule): FieldError {
  return { field, rule: "image", message: `must be a picture: ${describePicture(rule)}` };
}

function wrongSize(field: string, rule: PictureRule, { width, height }: Size): FieldError {
  const wanted = `${describePicture(rule)}, at most ${MOST_PIXELS / 1_000_000} million pixels`;
  return { field, rule: "dimensions", message: `is ${width} by ${height} pixels; must be ${wanted}` };
}

function tooSlow(): DomainError {
  return unavailable("The picture could not be read in time; try again.");
}
