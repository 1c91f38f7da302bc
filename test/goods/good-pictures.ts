import { unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

export const goodPath = (companyId: number, id: number) => `/companies/${companyId}/goods/${id}`;

/** The kinds of pictures: their columns, keys and operations, and the least size. */
export const KINDS = [
  {
    kind: "picture",
    action: "upload-picture",
    removal: "remove-picture",
    mutation: "uploadGoodPicture",
    removing: "removeGoodPicture",
    input: "UploadGoodPictureInput",
    column: "pictures",
    key: "picture_urls",
    field: "pictureUrls",
    least: { width: 2160, height: 1304 },
  },
  {
    kind: "vertical picture",
    action: "upload-vertical-picture",
    removal: "remove-vertical-picture",
    mutation: "uploadGoodVerticalPicture",
    removing: "removeGoodVerticalPicture",
    input: "UploadGoodVerticalPictureInput",
    column: "verticalPictures",
    key: "vertical_picture_urls",
    field: "verticalPictureUrls",
    least: { width: 1120, height: 1400 },
  },
] as const;

export function createGood(
  { db }: Gateway,
  companyId: number,
  overrides: object = {},
): Promise<{ id: number; name: string }> {
  const data = { companyId, name: unique(), shortDetails: "", details: "", priceE2: 100, type: 0 };
  return db.good.create({ data: { ...data, ...overrides } });
}

/** The pictures of a good as they are stored. */
export async function storedPictures(
  { db }: Gateway,
  companyId: number,
  id: number,
): Promise<{ pictures: string[]; verticalPictures: string[] }> {
  return db.good.findFirstOrThrow({
    where: { companyId, id },
    select: { pictures: true, verticalPictures: true },
  });
}
