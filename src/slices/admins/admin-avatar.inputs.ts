import { PictureField } from "../../core/files/picture-field.js";
import type { UploadedFile } from "../../core/files/upload.js";
import { InputObject } from "../../core/inputs/input-fields.js";

@InputObject({ description: "An avatar." })
export class UploadAdminAvatarInput {
  @PictureField({
    description: "The picture.",
    picture: { types: ["jpeg", "png", "bmp"], maxKiB: 2048, ratio: [1, 1] },
  })
  avatar!: UploadedFile;
}
