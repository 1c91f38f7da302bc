import { InputField, type FieldOptions } from "../inputs/input-fields.js";
import { describePicture, type PictureRule } from "./picture-rule.js";
import { Upload } from "./upload.js";

/**
 * An uploaded picture. A file that is no picture of the accepted types is refused with rule `image`, one of the wrong
 * size with rule `dimensions`, one of too many bytes with 413. It is stored before the service is called, which
 * writes its `key` to the owner's column.
 *
 * @param options.takesBack whether the URL of a stored picture is taken, too. The field is answered under its own name then, and
 *   the service refuses a URL that is not the one it answers.
 */
export function PictureField({
  picture,
  takesBack = false,
  ...options
}: FieldOptions & { picture: PictureRule; takesBack?: boolean }): PropertyDecorator {
  const description = `${options.description} (${describePicture(picture)})`;
  return InputField(() => Upload, { ...options, description }, { picture, ...(takesBack && { takesBack }) });
}
