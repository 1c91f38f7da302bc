import type { FieldError } from "../../core/errors/domain-error.js";
import type { PictureRule } from "../../core/files/picture-rule.js";
import { isId } from "../../core/integers.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";

export const GOOD_PICTURE: PictureRule = {
  types: ["jpeg", "png"],
  maxKiB: 8192,
  minWidth: 2160,
  minHeight: 1304,
};
export const VERTICAL_GOOD_PICTURE: PictureRule = {
  types: ["jpeg", "png"],
  maxKiB: 8192,
  minWidth: 1120,
  minHeight: 1400,
};

/** A good has at most so many pictures of each kind; a check of the table says the same. */
export const MOST_PICTURES = 20;

/** The columns that hold pictures of a good. */
export type PictureColumn = "pictures" | "verticalPictures";

/** Reports that a good has as many pictures as it may, on the field by which another one comes. */
export function tooManyPictures(field: string): FieldError {
  const message = `must not be the ${MOST_PICTURES + 1}st: a good has at most ${MOST_PICTURES} pictures of a kind`;
  return { field, rule: "max_items", message };
}

/** Refuses a picture that the good has no room for, before it is decoded or fetched. */
export const hasRoomIn =
  (column: PictureColumn): StoredRule =>
  async ({ url }, context, { companyId, goodId }) => {
    if (!isId(goodId)) return [];
    const { db } = context.companyScope(companyId as number);
    const where = { companyId: companyId as number, id: goodId, deletedAt: null };
    const good = await db.good.findFirst({ where, select: { [column]: true } });
    const stored = (good as Record<string, readonly string[]> | null)?.[column] ?? [];
    return stored.length < MOST_PICTURES ? [] : [tooManyPictures(typeof url === "string" ? "url" : "image")];
  };
