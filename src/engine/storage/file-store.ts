import { createWriteStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import {
  jobOf,
  type Files,
  type LocalFile,
  type PictureAsker,
  type PictureSize,
  type PictureState,
  type WantedPicture,
} from "../../core/files/files.js";
import { assertRoom, type Quotas } from "../../core/quotas/quota.js";
import { isPictureKey } from "../../core/files/picture-key.js";
import type { Picture, UploadedFile } from "../../core/files/upload.js";
import type { Secrets } from "../../core/secrets.js";
import type { SheetFormat } from "../../core/sheets/sheet.js";
import { type FieldError, unavailable } from "../../core/errors/domain-error.js";
import type { Db } from "../../core/db/db.js";
import { companyDb } from "../tenancy/bounded-db.js";
import type { PictureFetcher } from "./picture-fetcher.js";
import { signedLink } from "./signed-link.js";
import { storageQuota } from "./storage.quota.js";
import { giveRoomBack } from "./stored-file.sql.js";
import type { Storage } from "./storage.js";
import { nameOf, newKey, newSheetKey, SHEET_TYPE } from "./stored-name.js";

/** The path below which the service serves files. */
export const FILES_PATH = "/files";
/** A stored picture that is judged waits for its turn so long. */
const PATIENCE_MS = 5_000;

/** The path under which the service serves a file. */
export function pathOf(name: string): string {
  return `${FILES_PATH}/${name}`;
}

interface FileStoreOptions {
  readonly storage: Storage;
  /** Sign links to spreadsheets; `null` where there are none, as in jobs. */
  readonly secrets: Secrets | null;
  readonly quotas: Quotas;
  /** Writes outside of any request's transaction. */
  readonly writer: Db;
  /** The prefix of URLs; with `null` they begin with the path. */
  readonly publicUrl: string | null;
  readonly fetcher: PictureFetcher;
  /** Hears why the store did not take or give a file. */
  readonly onError: (error: unknown) => void;
}

interface StoredRow {
  readonly companyId: number;
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
}

/** Stores files, so that none is lost or left behind whenever the process ends. */
export class FileStore implements Files {
  constructor(private readonly options: FileStoreOptions) {}

  urlOf(key: string, size: PictureSize): string {
    if (!isPictureKey(key)) return key;
    const name = nameOf(key, size);
    // The service itself knows whether the job has made the medium one.
    return size === "medium" ? this.ownUrlOf(name) : this.urlOfName(name);
  }

  sheetUrlOf(key: string, at: Date): string {
    const { publicUrl, secrets } = this.options;
    if (secrets === null) throw new Error("a store without keys makes no links");
    return `${publicUrl ?? ""}${signedLink(secrets, pathOf(key), at)}`;
  }

  private urlOfName(name: string): string {
    return this.options.storage.urlOf(name) ?? this.ownUrlOf(name);
  }

  private ownUrlOf(name: string): string {
    return `${this.options.publicUrl ?? ""}${pathOf(name)}`;
  }

  async storePicture(companyId: number, picture: Picture): Promise<string> {
    const { contentType, width, height, large, small } = picture;
    const key = newKey(contentType);
    const bytes = large.length + small.length;
    return this.store({ companyId, key, contentType, bytes, width, height }, [
      [nameOf(key, "large"), large],
      [nameOf(key, "small"), small],
    ]);
  }

  async storeSheet(companyId: number, file: LocalFile, format: SheetFormat): Promise<string> {
    const key = newSheetKey(format);
    const { bytes } = file;
    return this.store({ companyId, key, contentType: SHEET_TYPE, bytes }, [[key, file]]);
  }

  async copySheet(key: string, path: string): Promise<boolean> {
    const file = await this.options.storage.read(key);
    if (file === null) return false;
    await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }));
    return true;
  }

  private async store(
    row: StoredRow,
    files: readonly (readonly [name: string, bytes: Buffer | LocalFile])[],
  ): Promise<string> {
    const { storage, quotas, writer, onError } = this.options;
    // The row comes first, so that a job finds whatever is written after it.
    await companyDb(writer, row.companyId).$transaction(async (db) => {
      await assertRoom({ db, companyId: row.companyId, quotas }, storageQuota, row.bytes);
      await db.storedFile.create({ data: row });
    });
    try {
      for (const [name, bytes] of files) await storage.put(name, bytes, row.contentType);
    } catch (error) {
      onError(error);
      await giveRoomBack(writer, row).catch(onError);
      throw unavailable("The file cannot be stored now; try again.", { cause: error });
    }
    return row.key;
  }

  fetchPicture(wanted: WantedPicture, asker: PictureAsker): Promise<UploadedFile | FieldError> {
    return this.options.fetcher.fetch(wanted, asker);
  }

  async stateOf(companyId: number, key: string): Promise<PictureState> {
    const { storage, onError } = this.options;
    const { isWhole } = await import("./pictures.js");
    try {
      const large = await storage.read(nameOf(key, "large"));
      const waiting = { asker: jobOf(companyId), patienceMs: PATIENCE_MS };
      if (large === null || !(await isWhole(await buffer(large.stream), waiting))) return "gone";
      const lengths = await Promise.all(
        (["medium", "small"] as const).map((size) => storage.lengthOf(nameOf(key, size))),
      );
      return lengths.includes(null) ? "lacking" : "whole";
    } catch (error) {
      onError(error);
      throw unavailable("The files cannot be read now; try again.", { cause: error });
    }
  }
}
