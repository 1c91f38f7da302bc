import { FetchedPictureField } from "../../core/files/fetched-picture-field.js";
import { PictureField } from "../../core/files/picture-field.js";
import type { UploadedFile } from "../../core/files/upload.js";
import { forbidden } from "../../core/inputs/forbidden-key.js";
import { InputField, InputObject } from "../../core/inputs/input-fields.js";
import { GOOD_PICTURE, VERTICAL_GOOD_PICTURE } from "./good-picture.rule.js";

const isGiven = (name: string) => ({ required: [name], properties: { [name]: { not: { type: "null" } } } });

/** A picture comes either as a file or by its URL. */
const fileOrUrl = {
  if: isGiven("url"),
  then: { properties: { image: { if: { not: { type: "null" } }, then: forbidden("forbidden") } } },
  else: {
    required: ["image"],
    properties: { image: { if: { type: "null" }, then: forbidden("required") } },
  },
};

@InputObject({ description: "A picture of a good: the file itself, or where it is.", rules: fileOrUrl })
export class UploadGoodPictureInput {
  @PictureField({
    description: "The picture. Required without `url`, not allowed with it.",
    nullable: true,
    picture: GOOD_PICTURE,
  })
  image?: UploadedFile | null;

  @FetchedPictureField({
    description: "Where the picture is fetched, once. Required without `image`.",
    nullable: true,
    picture: GOOD_PICTURE,
    as: "image",
  })
  url?: string | null;
}

@InputObject({
  description: "A vertical picture of a good: the file itself, or where it is.",
  rules: fileOrUrl,
})
export class UploadGoodVerticalPictureInput {
  @PictureField({
    description: "The picture. Required without `url`, not allowed with it.",
    nullable: true,
    picture: VERTICAL_GOOD_PICTURE,
  })
  image?: UploadedFile | null;

  @FetchedPictureField({
    description: "Where the picture is fetched, once. Required without `image`.",
    nullable: true,
    picture: VERTICAL_GOOD_PICTURE,
    as: "image",
  })
  url?: string | null;
}

@InputObject({ description: "The picture of a good that is to be removed." })
export class RemoveGoodPictureInput {
  @InputField(
    () => String,
    { description: "Its URL as the good shows it, in any size. (at most 1024 characters)" },
    { text: "line", maxLength: 1024, format: "uri-reference" },
  )
  pictureUrl!: string;
}
