import { InputField, type FieldOptions } from "../inputs/input-fields.js";
import { describePicture, type PictureRule } from "./picture-rule.js";

/** What the keyword of such a field says: the rule of the picture, and the name of the field that takes the file. */
export interface FetchedPicture {
  readonly rule: PictureRule;
  readonly as: string;
}

/**
 * The URL of a picture that the service fetches. The guard puts the file in the place of the field `as`, so a service finds
 * a picture there whichever way it came. One that cannot be fetched is refused with rule `fetch` (contract §19.3), a wrong
 * one as if it had been uploaded.
 */
export function FetchedPictureField({
  picture: rule,
  as,
  ...options
}: FieldOptions & { picture: PictureRule; as: string }): PropertyDecorator {
  const description = `${options.description} (${describePicture(rule)})`;
  const fetchedPicture: FetchedPicture = { rule, as };
  return InputField(
    () => String,
    { ...options, description },
    { text: "line", maxLength: 1024, format: "url", fetchedPicture },
  );
}
