import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

const FILE_HEADER_BYTES = 14;
/** Older headers have another form, which nobody uses any more. */
const LEAST_HEADER_BYTES = 40;

/** Decodes one file and ends. It is plain JavaScript, so that it runs the same before and after the build. */
const DECODE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { decode } = require(workerData.decoder);
  const { data, width, height } = decode(Buffer.from(workerData.bytes), { toRGBA: true });
  parentPort.postMessage({ data, width, height }, [data.buffer]);`;
const decoder = createRequire(import.meta.url).resolve("bmp-ts");

/** The size that a BMP's header tells; `null` when it has no such header. */
export function bmpSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < FILE_HEADER_BYTES + LEAST_HEADER_BYTES) return null;
  if (bytes.readUInt32LE(FILE_HEADER_BYTES) < LEAST_HEADER_BYTES) return null;
  // A negative height means that the rows are stored from the top.
  return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
}

export interface Pixels {
  /** Four bytes for each pixel; the fourth means nothing. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes a BMP in a thread of its own, since it takes too long for the event loop.
 *
 * @param milliseconds after which it is given up.
 * @throws Error for what is no BMP, or takes too long.
 */
export function decodeBmp(bytes: Buffer, milliseconds: number): Promise<Pixels> {
  const worker = new Worker(DECODE, { eval: true, workerData: { bytes, decoder } });
  const timer = setTimeout(() => void worker.terminate(), milliseconds);
  return new Promise<Pixels>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the BMP was not decoded in time")));
  }).finally(() => clearTimeout(timer));
}
