import { type DomainError, unavailable, type FieldError } from "../../core/errors/domain-error.js";
import type { PictureAsker } from "../../core/files/files.js";
import { describePicture, type PictureRule } from "../../core/files/picture-rule.js";
import { fileTooLarge } from "../../core/files/upload.js";
import { FairTurns } from "../limits/fair-turns.js";
import type { UploadedPicture } from "../validation/validator.js";
import { MOST_PIXELS, readPictureHeader, type Size } from "./picture-header.js";
import * as processes from "./picture-processes.js";

/** Pictures that are decoded at once: each takes a core. One company has one of them, so that the others find a turn. */
const DECODED_AT_ONCE = 2;
const DECODED_OF_ONE = 1;
/** The number of pixels that cost 1: the largest picture costs what the costliest operation does. */
const PIXELS_PER_COST = 400;

const turns = new FairTurns({ most: DECODED_AT_ONCE, mostOfOne: DECODED_OF_ONE });

/** Who waits for pictures to be decoded, and how long. */
interface Waiting {
  readonly asker: PictureAsker;
  readonly patienceMs: number;
}

/**
 * Checks a picture by the first of its bytes, before anything is decoded.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE.
 */
export async function unfitHeader({ field, file, rule }: UploadedPicture): Promise<FieldError | null> {
  if (file.bytes > rule.maxKiB * 1024) throw fileTooLarge(field, rule.maxKiB);
  const { type, size } = await readPictureHeader(file);
  if (type === null || !rule.types.includes(type)) return noPicture(field, rule);
  if (size === null || size.width < 1 || size.height < 1) return noPicture(field, rule);
  file.pixels = size.width * size.height;
  return fits(size, rule) ? null : wrongSize(field, rule, size);
}

/**
 * Decodes pictures and writes them anew, in both sizes: of what was sent only the picture is left, without the data
 * around it. Their pixels count against the rate limit before anything is decoded.
 *
 * @returns the wrong fields.
 * @throws DomainError RATE_LIMITED; UNAVAILABLE when it takes too long.
 */
export async function makePictures(
  pictures: readonly UploadedPicture[],
  waiting: Waiting,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const wanted = pictures.filter(({ file }) => file.picture === null);
  const pixels = wanted.reduce((sum, { file }) => sum + file.pixels, 0);
  await waiting.asker.charge(Math.ceil(pixels / PIXELS_PER_COST));
  for (const { field, file, rule } of wanted) {
    try {
      file.picture = await inTurn(waiting, () => processes.makePicture(file.path));
    } catch (error) {
      if (!(error instanceof processes.BrokenPicture)) throw error;
      errors.push(noPicture(field, rule));
    }
  }
  return errors;
}

/** Makes a smaller size of a picture from its large one. @throws Error for what is no picture. */
export function renditionOf(large: Buffer, size: "medium" | "small", waiting: Waiting): Promise<Buffer> {
  return inTurn(waiting, () => processes.renditionOf(large, size));
}

/** Returns whether the bytes of a stored picture can be decoded to their end. @throws DomainError UNAVAILABLE. */
export function isWhole(large: Buffer, waiting: Waiting): Promise<boolean> {
  return inTurn(waiting, () => processes.isWhole(large)).catch((error: unknown) => {
    if (error instanceof processes.BrokenPicture) return false;
    throw error;
  });
}

/** @throws DomainError UNAVAILABLE when the turn does not come in time, or the work takes too long. */
async function inTurn<T>({ asker, patienceMs }: Waiting, work: () => Promise<T>): Promise<T> {
  const owner = turns.owner(asker.name);
  if (!turns.begin(owner) && !(await turns.wait(owner, patienceMs))) throw tooSlow();
  try {
    return await work();
  } catch (error) {
    throw error instanceof processes.SlowPicture ? tooSlow(error) : error;
  } finally {
    turns.end(owner);
  }
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

function tooSlow(cause?: unknown): DomainError {
  return unavailable("The picture could not be read in time; try again.", { cause });
}
