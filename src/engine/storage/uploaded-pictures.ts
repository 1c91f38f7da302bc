import type { FieldError } from "../../core/errors/domain-error.js";
import type { Files, PictureAsker } from "../../core/files/files.js";
import type { UploadedFile } from "../../core/files/upload.js";
import type { UploadedPicture } from "../validation/validator.js";

/**
 * Finds the files that are no pictures as their fields ask for. The module that decodes is loaded when the first picture
 * comes.
 *
 * @param options.decodes says whether pictures are decoded, which costs more than all the rest: only when nothing else is
 *   wrong.
 * @throws DomainError PAYLOAD_TOO_LARGE, RATE_LIMITED, UNAVAILABLE.
 */
export async function unfitPictures(
  pictures: readonly UploadedPicture[],
  { decodes, asker, patienceMs }: { decodes: boolean; asker: PictureAsker; patienceMs: number },
): Promise<FieldError[]> {
  if (pictures.length === 0) return [];
  const { makePictures, unfitHeader } = await import("./pictures.js");
  const unfit = (await Promise.all(pictures.map(unfitHeader))).filter((error) => error !== null);
  return decodes && unfit.length === 0 ? makePictures(pictures, { asker, patienceMs }) : unfit;
}

/** Stores the pictures that were made of files, and notes their keys. */
export async function storePictures(
  uploaded: readonly UploadedFile[],
  companyId: number,
  files: Files,
): Promise<void> {
  for (const file of uploaded)
    if (file.picture !== null) file.key = await files.storePicture(companyId, file.picture);
}
