import { validationFailed } from "../../core/errors/domain-error.js";
import { jobOf } from "../../core/files/files.js";
import { UploadedFile } from "../../core/files/upload.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import type { Quotas } from "../../core/quotas/quota.js";
import { unscopedDb } from "../tenancy/bounded-db.js";
import { Fetcher } from "../fetching/fetcher.js";
import { PictureFetcher } from "../storage/picture-fetcher.js";
import { FileStore } from "../storage/file-store.js";
import type { Storage } from "../storage/storage.js";

/** A job waits this long for its turn, and then for the picture. */
const PATIENCE_MS = 10_000;

interface JobFilesOptions {
  readonly database: JobContext["database"];
  readonly storage: Storage;
  readonly quotas: Quotas;
  readonly fetchAllow: readonly string[];
  readonly log: JobContext["log"];
}

/** The stored files for jobs, whose turns to fetch pictures are apart from those of requests. */
export function jobFiles({
  database,
  storage,
  quotas,
  fetchAllow,
  log,
}: JobFilesOptions): Pick<JobContext, "files" | "pictures"> {
  const files = new FileStore({
    storage,
    secrets: null,
    quotas,
    writer: unscopedDb(database.writer),
    publicUrl: null,
    fetcher: new PictureFetcher({
      fetcher: new Fetcher({ allow: fetchAllow }),
      patienceMs: PATIENCE_MS,
      onFailure: (reason) => log.info({ reason }, "a picture could not be fetched"),
    }),
    onError: (error) => log.error({ reason: String(error) }, "the store of files did not do its work"),
  });
  const fetch: JobContext["pictures"]["fetch"] = async (companyId, url, rule) => {
    const fetched = await files.fetchPicture({ field: "url", url, rule }, jobOf(companyId));
    if (!(fetched instanceof UploadedFile)) throw validationFailed([fetched]);
    if (fetched.picture === null) throw new Error("the picture was not decoded");
    return files.storePicture(companyId, fetched.picture);
  };
  return { files, pictures: { fetch } };
}
