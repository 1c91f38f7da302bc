import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import type { Picture } from "../../core/files/upload.js";
import { endWithParent } from "../processes/serve-parent.js";
import { decodeBmp } from "./decode-bmp.js";
import { MOST_PIXELS, typeOf } from "./picture-header.js";
import type { PictureOrder, PictureResult } from "./picture-orders.js";

/** The longer side of each size, at most. */
const LARGE_PIXELS = 2_560;
const MEDIUM_PIXELS = 1_024;
const SMALL_PIXELS = 320;
const JPEG_QUALITY = 85;

/** Does an order. @throws Error for what is no picture. */
export function decodePicture(order: PictureOrder): Promise<PictureResult> {
  switch (order.kind) {
    case "make":
      return makePicture(order.path);
    case "render":
      return render(Buffer.from(order.large), order.size);
    case "judge":
      return isWhole(Buffer.from(order.large));
  }
}

async function makePicture(path: string): Promise<Picture> {
  const bytes = await readFile(path);
  const isJpeg = typeOf(bytes) === "jpeg";
  // One decoding serves both sizes.
  const { data, info } = await opened(bytes)
    .autoOrient()
    .resize({ width: LARGE_PIXELS, height: LARGE_PIXELS, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = (): Sharp => sharp(data, { raw: { width, height, channels } });
  const written = (picture: Sharp): Promise<Buffer> =>
    (isJpeg ? picture.jpeg({ quality: JPEG_QUALITY }) : picture.png()).toBuffer();
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

/** Makes a smaller size of a picture from its large one. */
function render(large: Buffer, size: "medium" | "small"): Promise<Buffer> {
  const pixels = size === "medium" ? MEDIUM_PIXELS : SMALL_PIXELS;
  const fitted = sharp(large, { limitInputPixels: MOST_PIXELS, failOn: "error" }).resize({
    width: pixels,
    height: pixels,
    fit: "inside",
    withoutEnlargement: true,
  });
  return (typeOf(large) === "jpeg" ? fitted.jpeg({ quality: JPEG_QUALITY }) : fitted.png()).toBuffer();
}

/** Returns whether the bytes of a stored picture can be decoded to their end. */
async function isWhole(large: Buffer): Promise<boolean> {
  try {
    await sharp(large, { limitInputPixels: MOST_PIXELS, failOn: "error" }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

function opened(bytes: Buffer): Sharp {
  if (typeOf(bytes) !== "bmp") return sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error" });
  endWithParent();
  const { data, width, height } = decodeBmp(bytes);
  return sharp(data, { raw: { width, height, channels: 3 } });
}
