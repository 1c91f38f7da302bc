import { Extensions, Field } from "type-graphql";
import type { PictureSize } from "./files.js";

/** A field that is the URL of a stored picture which the row's column names, or those of a list of them. */
export interface PictureSource {
  readonly column: string;
  readonly size: PictureSize;
  readonly isList: boolean;
}

interface PictureUrlOptions {
  readonly description: string;
  readonly size?: PictureSize;
}

/** Declares the URL of the picture in the row's column `column`; the schema attaches the resolver. */
export function PictureUrl(
  column: string,
  { description, size = "large" }: PictureUrlOptions,
): PropertyDecorator {
  return (prototype, name) => {
    Field(() => String, { nullable: true, description })(prototype, name);
    const pictureSource: PictureSource = { column, size, isList: false };
    Extensions({ pictureSource })(prototype, name);
  };
}

/** Declares the URLs of the pictures in the row's column `column`, which is a list of keys and of URLs. */
export function PictureUrls(
  column: string,
  { description, size = "large" }: PictureUrlOptions,
): PropertyDecorator {
  return (prototype, name) => {
    Field(() => [String], { description })(prototype, name);
    const pictureSource: PictureSource = { column, size, isList: true };
    Extensions({ pictureSource })(prototype, name);
  };
}
