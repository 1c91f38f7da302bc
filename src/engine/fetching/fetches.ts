import type { FieldError } from "../../core/errors/domain-error.js";
import type { Files, PictureAsker, WantedPicture } from "../../core/files/files.js";
import type { UploadedFile } from "../../core/files/upload.js";
import { unavailable } from "../../core/errors/domain-error.js";
import type { Turn } from "../limits/fair-turns.js";

type Fetched = UploadedFile | FieldError;

/**
 * The pictures that a request has to fetch. That takes seconds, in which it holds neither a connection of the database nor
 * its share of the process. Within a transaction nothing is fetched: the picture is noted, the transaction is given up, and
 * the request begins again when it is there.
 */
export class Fetches {
  private readonly fetched = new Map<string, Promise<Fetched>>();
  private readonly wanted: WantedPicture[] = [];

  /** Returns whether pictures have been noted that are still to be fetched. */
  get areWanted(): boolean {
    return this.wanted.length > 0;
  }

  /** Returns a picture that has been fetched. @throws DomainError when it is only noted now. */
  take(picture: WantedPicture): Promise<Fetched> {
    const known = this.fetched.get(idOf(picture));
    if (known !== undefined) return known;
    this.wanted.push(picture);
    throw unavailable("The picture is fetched first.");
  }

  /** Fetches what has been noted. */
  async fetchWanted(
    files: Files,
    { asker, turn }: { asker: PictureAsker; turn: Turn },
    patienceMs: number,
  ): Promise<void> {
    const pictures = this.wanted.splice(0);
    await withoutTurn(turn, patienceMs, async () => {
      for (const picture of pictures) {
        const id = idOf(picture);
        if (this.fetched.has(id)) continue;
        const fetching = files.fetchPicture(picture, asker);
        this.fetched.set(id, fetching);
        // Whoever takes it hears of its error.
        await fetching.catch(() => undefined);
      }
    });
  }
}

/** The same address is judged anew for another rule. */
const idOf = ({ url, field, rule }: WantedPicture): string => JSON.stringify([url, field, rule]);

/** Does work that takes long without the turn of the request, which others can use. */
export async function withoutTurn<T>(turn: Turn, patienceMs: number, work: () => Promise<T>): Promise<T> {
  turn.end();
  try {
    return await work();
  } finally {
    await turn.take(patienceMs);
  }
}
