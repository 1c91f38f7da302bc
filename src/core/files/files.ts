import type { SheetFormat } from "../sheets/sheet.js";
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
  /**
   * Stores a spreadsheet.
   *
   * @param file is where its bytes are now.
   * @returns its key, which the owner's column has to hold within the hour.
   * @throws DomainError UNAVAILABLE when the store does not take it.
   */
  storeSheet(companyId: number, file: LocalFile, format: SheetFormat): Promise<string>;
  /** Returns the URL under which a stored spreadsheet is downloaded. */
  sheetUrlOf(key: string): string;
  /** Writes a stored spreadsheet to a path. @returns whether there is one. */
  copySheet(key: string, path: string): Promise<boolean>;
}

/** A file of this machine. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
}
