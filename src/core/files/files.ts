import type { FieldError } from "../errors/domain-error.js";
import type { SheetFormat } from "../sheets/sheet.js";
import type { PictureRule } from "./picture-rule.js";
import type { Picture, UploadedFile } from "./upload.js";

/**
 * Every picture is stored in these sizes; none is larger than the picture that was sent. `medium` is made by a job: until
 * then its URL answers the large one.
 */
export type PictureSize = "large" | "medium" | "small";

/** A picture that is to be fetched, with what the field that has its URL asks of it. */
export interface WantedPicture {
  readonly field: string;
  readonly url: string;
  readonly rule: PictureRule;
}

/** Who waits for a picture and pays for it. */
export interface PictureAsker {
  /** Companies take turns by their names. */
  readonly name: string;
  /**
   * Counts a cost against the rate limit.
   *
   * @throws DomainError RATE_LIMITED.
   */
  charge(cost: number): Promise<void> | undefined;
  /** The header `traceparent` that the address gets; `null` for none. */
  readonly traceParent: string | null;
}

/** A job of a company, which waits as the requests of the company do and has no rate limit. */
export function jobOf(companyId: number): PictureAsker {
  return { name: `company:${companyId}`, charge: () => undefined, traceParent: null };
}

/** How a stored picture is: `gone` without a file that can be decoded, `lacking` without one of its smaller sizes. */
export type PictureState = "whole" | "lacking" | "gone";

/** The stored files of all companies. */
export interface Files {
  /**
   * Returns the URL of a picture. It is made anew at each read, so that files can move to another address. What is no key
   * is the URL of a picture that is kept elsewhere, in one size.
   */
  urlOf(key: string, size: PictureSize): string;
  /**
   * Stores a picture.
   *
   * @returns its key, which the owner's column has to hold within the hour; otherwise the picture is removed.
   * @throws DomainError UNAVAILABLE when the store does not take it.
   */
  storePicture(companyId: number, picture: Picture): Promise<string>;
  /**
   * Fetches a picture from wherever its URL leads, but never from within the operator's own network (contract §19.3). It
   * takes seconds: call it outside of any transaction.
   *
   * @returns the file with its decoded picture, or what is wrong with the field.
   * @throws DomainError PAYLOAD_TOO_LARGE, RATE_LIMITED, UNAVAILABLE.
   */
  fetchPicture(wanted: WantedPicture, asker: PictureAsker): Promise<UploadedFile | FieldError>;
  /**
   * Reads a stored picture to see how it is.
   *
   * @throws DomainError UNAVAILABLE when the store does not answer.
   */
  stateOf(companyId: number, key: string): Promise<PictureState>;
  /**
   * Stores a spreadsheet.
   *
   * @param file is where its bytes are now.
   * @returns its key, which the owner's column has to hold within the hour.
   * @throws DomainError UNAVAILABLE when the store does not take it.
   */
  storeSheet(companyId: number, file: LocalFile, format: SheetFormat): Promise<string>;
  /** Returns the URL under which a stored spreadsheet is downloaded: it is signed, and ends a day after `at` at most. */
  sheetUrlOf(key: string, at: Date): string;
  /** Writes a stored spreadsheet to a path. @returns whether there is one. */
  copySheet(key: string, path: string): Promise<boolean>;
}

/** A file of this machine. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
}
