import { GraphQLError, GraphQLScalarType } from "graphql";
import { DomainError } from "../errors/domain-error.js";
import { pictureKeyIn } from "./picture-key.js";

/** The error of any other value in the place of a file. */
export const MUST_BE_FILE = "must be a file, sent as multipart/form-data";

/** A picture that is fit to be stored: decoded and written anew, in both sizes. */
export interface Picture {
  readonly contentType: "image/jpeg" | "image/png";
  readonly width: number;
  readonly height: number;
  readonly large: Buffer;
  readonly small: Buffer;
}

/**
 * A file of a request, which lies in a temporary file until the request has its answer. Of what the caller says of it the
 * name alone is kept, which nothing but the format of a spreadsheet goes by.
 */
export class UploadedFile {
  /** The picture in it, after the guard has found it fit for its field. */
  picture: Picture | null = null;
  /** How many pixels the header of the picture declares, after the guard has read it. */
  pixels = 0;
  private storedKey: string | null = null;

  constructor(
    readonly path: string,
    readonly bytes: number,
    readonly sha256: string,
    readonly name = "",
  ) {}

  /** The key of the stored file, which the owner's column has to hold. The guard stores it before a service sees it. */
  get key(): string {
    if (this.storedKey === null) throw new Error("the guard has not stored the file");
    return this.storedKey;
  }

  set key(stored: string) {
    this.storedKey = stored;
  }

  /** Stands for the file where requests are compared: the same bytes are the same file. */
  toJSON(): object {
    return { sha256: this.sha256, bytes: this.bytes };
  }
}

/** Refuses a file with more bytes than its field allows. */
export function fileTooLarge(field: string, maxKiB: number): DomainError {
  const message = `must have at most ${maxKiB} KiB`;
  return new DomainError("PAYLOAD_TOO_LARGE", `The file ${message}.`, {
    errors: [{ field, rule: "max_size", message }],
  });
}

/** Returns whether a value is the URL of a stored picture, which some fields take back (`PictureField`). */
export function isPictureUrl(value: unknown): value is string {
  return typeof value === "string" && pictureKeyIn(value) !== null;
}

export const Upload = new GraphQLScalarType<UploadedFile | string, never>({
  name: "Upload",
  description:
    "A file, sent by the GraphQL multipart request specification; over REST, a file part of multipart/form-data.",
  parseValue: (value) => {
    if (value instanceof UploadedFile || isPictureUrl(value)) return value;
    throw new GraphQLError(MUST_BE_FILE);
  },
  parseLiteral: () => {
    throw new GraphQLError("A file cannot stand in a document.");
  },
  serialize: () => {
    throw new GraphQLError("Files are never answered.");
  },
});
