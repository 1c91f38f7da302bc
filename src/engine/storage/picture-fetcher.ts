import { unavailable, type FieldError } from "../../core/errors/domain-error.js";
import type { PictureAsker, WantedPicture } from "../../core/files/files.js";
import { fileTooLarge, type UploadedFile } from "../../core/files/upload.js";
import { FairTurns } from "../limits/fair-turns.js";
import { Spool } from "../storage/spool.js";
import { FetchFailed, type Fetcher } from "../fetching/fetcher.js";

/** A picture takes no longer than this to be fetched. */
const MOST_MILLISECONDS = 10_000;
/** Pictures that this process fetches at once, and those of one company. */
const FETCHED_AT_ONCE = 8;
const FETCHED_OF_ONE = 2;
const ACCEPT = "image/jpeg, image/png";

interface PictureFetcherOptions {
  readonly fetcher: Fetcher;
  /** How long a request may wait for its turn, and then for the picture, in milliseconds. */
  readonly patienceMs: number;
  /** Receives why nothing could be fetched, which callers do not learn. */
  readonly onFailure: (reason: string) => void;
}

/** Fetches pictures and judges them like uploaded ones. */
export class PictureFetcher {
  private readonly turns = new FairTurns({ most: FETCHED_AT_ONCE, mostOfOne: FETCHED_OF_ONE });
  private readonly spool: Spool;
  private readonly milliseconds: number;

  constructor(private readonly options: PictureFetcherOptions) {
    this.milliseconds = Math.min(MOST_MILLISECONDS, options.patienceMs);
    this.spool = new Spool(2 * MOST_MILLISECONDS);
  }

  /** See `Files.fetchPicture`. */
  async fetch(wanted: WantedPicture, asker: PictureAsker): Promise<UploadedFile | FieldError> {
    const { patienceMs, onFailure } = this.options;
    const turn = this.turns.owner(asker.name);
    if (!this.turns.begin(turn) && !(await this.turns.wait(turn, patienceMs)))
      throw unavailable("Too many pictures are fetched; try again.");
    try {
      const file = await this.spooled(wanted, asker);
      return await this.judged(wanted, file, asker).finally(() => this.spool.remove([file]));
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error;
      onFailure(error.message);
      // One message for all: callers must not learn what is where in the operator's network.
      return { field: wanted.field, rule: "fetch", message: "is not where a picture can be fetched" };
    } finally {
      this.turns.end(turn);
    }
  }

  private spooled({ field, url, rule }: WantedPicture, { traceParent }: PictureAsker): Promise<UploadedFile> {
    const bounds = {
      maxBytes: rule.maxKiB * 1024,
      tooLarge: () => fileTooLarge(field, rule.maxKiB),
    };
    const limits = { milliseconds: this.milliseconds, accept: ACCEPT, traceParent };
    return this.options.fetcher.fetch(url, limits, (body) => this.spool.write(body, bounds, ""));
  }

  private async judged(
    { field, rule }: WantedPicture,
    file: UploadedFile,
    asker: PictureAsker,
  ): Promise<UploadedFile | FieldError> {
    const { makePictures, unfitHeader } = await import("../storage/pictures.js");
    const unfit = await unfitHeader({ field, file, rule });
    if (unfit !== null) return unfit;
    const waiting = { asker, patienceMs: this.options.patienceMs };
    const [wrong] = await makePictures([{ field, file, rule }], waiting);
    return wrong ?? file;
  }
}
