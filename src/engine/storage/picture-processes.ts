import type { Picture } from "../../core/files/upload.js";
import { OwnProcess, type Ending } from "../processes/own-process.js";
import type { PictureAnswer, PictureOrder, PictureResult } from "./picture-orders.js";

/** An order that is not done within this time is given up with its process, which may find no turn of the processor. */
const PATIENCE_MS = 60_000;
/** A process that has nothing to do for so long is ended, and with it all memory that it took. */
const IDLE_MS = 5_000;
/** A process that has done this many orders is ended, too: what libraries keep for the next time grows. */
const MOST_ORDERS = 100;

/** The file is no picture. */
export class BrokenPicture extends Error {}
/** Decoding took too long, or there was no memory for it. */
export class SlowPicture extends Error {}

const idle: PictureProcess[] = [];

/** Decodes a picture that was sent. @throws BrokenPicture; SlowPicture. */
export async function makePicture(path: string): Promise<Picture> {
  return (await order({ kind: "make", path })) as Picture;
}

/** Makes a smaller size of a picture from its large one. @throws BrokenPicture; SlowPicture. */
export async function renditionOf(large: Buffer, size: "medium" | "small"): Promise<Buffer> {
  return Buffer.from((await order({ kind: "render", large, size })) as Uint8Array);
}

/** Returns whether the bytes of a stored picture can be decoded to their end. @throws SlowPicture. */
export async function isWhole(large: Buffer): Promise<boolean> {
  return (await order({ kind: "judge", large })) as boolean;
}

/** Has a process do the order; there are as many as orders at once. */
async function order(wanted: PictureOrder): Promise<PictureResult> {
  const process = idle.pop() ?? new PictureProcess();
  try {
    return await process.do(wanted);
  } finally {
    process.rest();
  }
}

/** A process that decodes one picture at a time. It keeps this process alive only while it does. */
class PictureProcess {
  private readonly process = new OwnProcess<PictureOrder, PictureAnswer>("storage/picture-process.js", {
    heard: (answer) => this.answered(answer),
    lost: (ending) => this.giveUp(lossOf(ending)),
  });
  private orders = 0;
  private hasEnded = false;
  private resting: NodeJS.Timeout | undefined;
  private answered: (answer: PictureAnswer) => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;

  async do(wanted: PictureOrder): Promise<PictureResult> {
    clearTimeout(this.resting);
    this.orders += 1;
    this.process.keep();
    const timer = setTimeout(() => this.end(), PATIENCE_MS);
    const answer = await new Promise<PictureAnswer>((resolve, reject) => {
      this.answered = resolve;
      this.fail = reject;
      this.process.send(wanted);
    }).finally(() => clearTimeout(timer));
    if (answer.kind === "slow") {
      this.end();
      throw new SlowPicture();
    }
    if (answer.kind === "broken") throw new BrokenPicture(answer.message);
    return answer.result;
  }

  /** Waits a while for the next order, then ends. */
  rest(): void {
    this.process.letGo();
    if (this.hasEnded) return;
    if (this.orders >= MOST_ORDERS) {
      this.end();
      return;
    }
    this.resting = setTimeout(() => this.end(), IDLE_MS).unref();
    idle.push(this);
  }

  private end(): void {
    void this.process.end();
    this.giveUp(new SlowPicture());
  }

  /** Does no more orders, the present one neither. */
  private giveUp(why: Error): void {
    this.hasEnded = true;
    clearTimeout(this.resting);
    const place = idle.indexOf(this);
    if (place >= 0) idle.splice(place, 1);
    this.fail(why);
  }
}

/** A library that gives up on a file may end the process. */
function lossOf({ why, detail }: Ending): Error {
  return why === "gaveUp" ? new BrokenPicture(detail) : new SlowPicture(detail);
}
