import type { Readable } from "node:stream";
import type { LocalFile } from "../../core/files/files.js";

/** The place where the bytes of files are. A name is written once, and never again with other bytes. */
export interface Storage {
  /** Writes all bytes or none: nobody ever reads a part of them. */
  put(name: string, bytes: Buffer | LocalFile, contentType: string): Promise<void>;
  /** The length of a file in bytes; `null` when there is none. */
  lengthOf(name: string): Promise<number | null>;
  /** Opens a file for reading; `null` when there is none. */
  read(name: string): Promise<{ readonly stream: Readable; readonly bytes: number } | null>;
  /** Deletes a file, and what is left of an attempt to write it. Nothing happens when there is none. */
  delete(name: string): Promise<void>;
  /** The address of the store itself for a file; `null` when the service has to serve it. */
  urlOf(name: string): string | null;
  close(): void;
}
