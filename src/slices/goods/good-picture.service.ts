import { invalidField, notFound, validationFailed } from "../../core/errors/domain-error.js";
import type { Files } from "../../core/files/files.js";
import { isPictureKey, pictureKeyIn } from "../../core/files/picture-key.js";
import { addJob, LOW_PRIORITY } from "../../core/jobs/jobs.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import type { GoodImageSuggestion } from "./good-picture.model.js";
import { MOST_PICTURES, tooManyPictures, type PictureColumn } from "./good-picture.rule.js";
import { lockPictures, picturesOfLikeGoods } from "./good-picture.sql.js";
import { getGood } from "./good.service.js";

type GoodRow = Row<"Good">;

const MOST_SUGGESTIONS = 20;

/**
 * Puts a stored picture behind the others of the good, and has its medium size made.
 *
 * @param field is the one by which it came.
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED when the good has as many as it may.
 */
export function addPicture(
  scope: CompanyScope,
  id: number,
  { column, key, field }: { column: PictureColumn; key: string; field: string },
): Promise<GoodRow> {
  return scope.transaction(async (inside) => {
    const put = await putPicture(inside, id, { column, key });
    if (put === "gone") throw notFound("Good");
    if (put === "full") throw validationFailed([tooManyPictures(field)]);
    return put;
  });
}

/** Does the same in the transaction at hand. @returns the good; `gone` when there is none, `full` when it has no room. */
export async function putPicture(
  inside: Pick<CompanyScope, "db" | "companyId">,
  id: number,
  { column, key }: { column: PictureColumn; key: string },
): Promise<GoodRow | "gone" | "full"> {
  const { db, companyId } = inside;
  const stored = await lockPictures(inside, id);
  if (stored === null) return "gone";
  if (stored[column].length >= MOST_PICTURES) return "full";
  await askForRenditions(inside, key);
  const where = { companyId_id: { companyId, id } };
  return db.good.update({ where, data: { [column]: [...stored[column], key] } });
}

/**
 * Takes a picture from the good; a job removes its file.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED when the good has no such picture.
 */
export function removePicture(
  scope: CompanyScope,
  id: number,
  { column, pictureUrl }: { column: PictureColumn; pictureUrl: string },
): Promise<GoodRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const stored = await lockPictures(inside, id);
    if (stored === null) throw notFound("Good");
    const key = pictureKeyIn(pictureUrl);
    const at = stored[column].findIndex((picture) => picture === pictureUrl || picture === key);
    if (at < 0) throw invalidField("pictureUrl", "exists", "is no such picture of the good");
    const where = { companyId_id: { companyId, id } };
    return db.good.update({ where, data: { [column]: stored[column].toSpliced(at, 1) } });
  });
}

/**
 * Takes pictures from the good whose files are gone or broken, and has the sizes made that others lack. What is kept
 * elsewhere stays as it is.
 *
 * @throws DomainError NOT_FOUND; UNAVAILABLE when the store does not answer: then nothing is changed.
 */
export async function fixImages(scope: CompanyScope, id: number, files: Files): Promise<GoodRow> {
  const before = await getGood(scope, id);
  const states = new Map<string, Awaited<ReturnType<Files["stateOf"]>>>();
  for (const picture of [...before.pictures, ...before.verticalPictures])
    if (isPictureKey(picture)) states.set(picture, await files.stateOf(scope.companyId, picture));
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const stored = await lockPictures(inside, id);
    if (stored === null) throw notFound("Good");
    const isThere = (picture: string): boolean => states.get(picture) !== "gone";
    const pictures = stored.pictures.filter(isThere);
    const verticalPictures = stored.verticalPictures.filter(isThere);
    for (const picture of [...pictures, ...verticalPictures])
      if (states.get(picture) === "lacking") await askForRenditions(inside, picture);
    const count = (lists: readonly (readonly string[])[]): number => lists.flat().length;
    if (count([pictures, verticalPictures]) === count(Object.values(stored))) return getGood(inside, id);
    const where = { companyId_id: { companyId, id } };
    return db.good.update({ where, data: { pictures, verticalPictures } });
  });
}

/** Suggests pictures of goods that have a barcode of this one, or a like name; best first, at most 20. */
export async function suggestImages(
  scope: CompanyScope,
  id: number,
  { withDeleted, files }: { withDeleted: boolean; files: Files },
): Promise<Omit<GoodImageSuggestion, "good">[]> {
  const { companyId } = scope;
  const good = await getGood(scope, id, { withDeleted });
  const found = await picturesOfLikeGoods(scope, good, { most: MOST_SUGGESTIONS, withDeleted });
  return found.map(({ picture, ...rest }) => ({ ...rest, companyId, url: files.urlOf(picture, "large") }));
}

function askForRenditions(inside: Pick<CompanyScope, "db" | "companyId">, key: string): Promise<void> {
  const { companyId } = inside;
  return addJob(
    inside,
    "makeRenditions",
    { companyId, key },
    { key: `renditions-${key}`, priority: LOW_PRIORITY },
  );
}
