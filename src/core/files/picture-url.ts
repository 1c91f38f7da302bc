import { Extensions, Field } from "type-graphql";
import type { PictureSize } from "./files.js";

/** A field that is the URL of a stored picture, which the row's column names. */
export interface PictureSource {
  readonly column: string;
  readonly size: PictureSize;
}

/** Declares the URL of the picture in the row's column `column`; the schema attaches the resolver. */
export function PictureUrl(
  column: string,
  { description, size = "large" }: { description: string; size?: PictureSize },
): PropertyDecorator {
  return (prototype, name) => {
    Field(() => String, { nullable: true, description })(prototype, name);
    Extensions({ pictureSource: { column, size } satisfies PictureSource })(prototype, name);
  };
}
