import type { Picture } from "./upload.js";

/** Every picture is stored in these sizes; neither is larger than the picture that was sent. */
export type PictureSize = "large" | "small";

/** The stored files of all companies. */
export interface Files {
  /** Returns the URL of a stored picture. It is made anew at each read, so that files can move to another address. */
  urlOf(key: string, size: PictureSize): string;
  /**
   * Stores a picture.
   *
   * @returns its key, which the owner's column has to hold within the hour; otherwise the picture is removed.
   * @throws DomainError UNAVAILABLE when the store does not take it.
   */
  storePicture(companyId: number, picture: Picture): Promise<string>;
}
