import type { FieldError } from "../../core/errors/domain-error.js";
import type { Files, PictureAsker } from "../../core/files/files.js";
import { UploadedFile } from "../../core/files/upload.js";
import type { Turn } from "../limits/fair-turns.js";
import type { PictureToFetch } from "../validation/validator.js";
import { withoutTurn, type Fetches } from "./fetches.js";

/** What fetching needs of a request. */
export interface Fetching {
  readonly files: Files;
  readonly asker: PictureAsker;
  readonly fetches: Fetches;
  readonly turn: Turn;
  readonly patienceMs: number;
  readonly isWithinTransaction: boolean;
}

/**
 * Fetches pictures and puts them in their places. Whether they may be had at all has been decided.
 *
 * @returns the files, and the wrong fields: those whose address gives no picture as the field asks for.
 */
export async function fetchPictures(
  wanted: readonly PictureToFetch[],
  { files, asker, fetches, turn, patienceMs, isWithinTransaction }: Fetching,
): Promise<{ fetched: UploadedFile[]; unfit: FieldError[] }> {
  const fetched: UploadedFile[] = [];
  const unfit: FieldError[] = [];
  for (const { put, field, url, rule } of wanted) {
    const picture = { field, url, rule };
    const answer = await (isWithinTransaction
      ? fetches.take(picture)
      : withoutTurn(turn, patienceMs, () => files.fetchPicture(picture, asker)));
    if (answer instanceof UploadedFile) {
      put(answer);
      fetched.push(answer);
    } else unfit.push(answer);
  }
  return { fetched, unfit };
}
