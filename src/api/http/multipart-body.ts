import { finished, type Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DomainError, unavailable, type FieldError } from "../../core/errors/domain-error.js";
import { UploadedFile } from "../../core/files/upload.js";
import { noteFault } from "../../engine/observability/note-fault.js";
import { Spool } from "../../engine/storage/spool.js";

export const MULTIPART_TYPE = "multipart/form-data";

/** The fields of a body, without its files, have as many bytes as a JSON body. */
export const MOST_FIELD_BYTES = 1_048_576;
const MOST_FIELDS = 2_000;
const MOST_FILES = 20;
const MOST_NAME_BYTES = 200;
const SWEEP_MS = 60_000;

declare module "fastify" {
  interface FastifyInstance {
    spool: Spool;
  }
  interface FastifyRequest {
    /** The files of the request, which are removed with its answer; `null` when it has none. */
    uploads: UploadedFile[] | null;
    /** Gives up a body that is being read; nothing happens when it has been. `null` when it is no form. */
    stopReading: ((error: Error) => void) | null;
  }
}

/** The parts of a body, files apart. */
export interface Parts {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** What a route takes. */
export interface WantedParts {
  /** The most bytes of all files together. */
  readonly maxBytes: number;
  /**
   * Decides over a file when it comes, by the fields before it.
   *
   * @returns its most bytes and the refusal of more; `null` lets its bytes go by, and an empty file stands for it.
   */
  wants(
    name: string,
    fields: Parts["fields"],
  ): Promise<{ readonly maxBytes: number; readonly tooLarge: () => Error } | null>;
}

/** Prepares the app for uploads: their temporary files go with their requests, or are swept away later. */
export function keepUploads(app: FastifyInstance, requestTimeoutMs: number): void {
  const spool = new Spool(2 * requestTimeoutMs);
  app.decorate("spool", spool);
  app.decorateRequest("uploads", null);
  app.decorateRequest("stopReading", null);
  app.addHook("onResponse", ({ uploads, stopReading }, _reply, done) => {
    // Of a request that was answered before it had arrived, node says no more: neither its end nor that it is cut short.
    stopReading?.(unreadable());
    if (uploads === null) done();
    else spool.remove(uploads).then(() => done(), done);
  });
  const sweep = (): void =>
    void spool
      .sweep()
      .catch((error: unknown) => app.log.warn({ err: error }, "old uploads could not be removed"));
  sweep();
  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.addHook("onClose", () => clearInterval(timer));
}

/**
 * Reads a multipart body. Each file goes to a temporary file while it arrives; nothing that the caller says of it is
 * believed.
 *
 * @throws DomainError BAD_REQUEST, PAYLOAD_TOO_LARGE, UNAVAILABLE (no room for temporary files), and what `wants` throws.
 */
export async function readMultipart(
  request: FastifyRequest,
  payload: Readable,
  wanted: WantedParts,
): Promise<Parts> {
  const { spool } = request.server;
  const fields: [string, string][] = [];
  const files = new Map<string, UploadedFile>();
  const names = new Set<string>();
  const kept: UploadedFile[] = [];
  const spooling: Promise<void>[] = [];
  const streams: Readable[] = [];
  const parser = parserOf(request);

  const spoolFile = async (name: string, stream: Readable, filename: string): Promise<void> => {
    if (names.has(name)) throw wrongForm([sentTwice(name)]);
    names.add(name);
    const bounds = await wanted.wants(name, fields);
    if (bounds === null) {
      files.set(name, new UploadedFile("", 0, ""));
      stream.resume();
      return;
    }
    const file = await spool.write(stream, bounds, filename).catch((error: unknown) => {
      throw refusalOf(request, error);
    });
    kept.push(file);
    files.set(name, file);
  };

  try {
    await new Promise<void>((resolve, reject) => {
      request.stopReading = reject;
      let bytes = 0;
      let fieldBytes = 0;
      payload.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > wanted.maxBytes + 2 * MOST_FIELD_BYTES) reject(tooMuch("The body is too large."));
      });
      // Whoever hangs up gets no answer; the files have to go all the same.
      finished(payload, (error) => error != null && reject(unreadable()));
      parser.on("field", (name, value, nameIsCut, valueIsCut) => {
        fieldBytes += Buffer.byteLength(value);
        if (nameIsCut || valueIsCut || fieldBytes > MOST_FIELD_BYTES)
          reject(tooMuch(`The fields may have at most ${MOST_FIELD_BYTES} bytes.`));
        fields.push([name, value]);
      });
      parser.on("file", (name, stream, filename) => {
        streams.push(stream);
        const isDone = spoolFile(name, stream, filename ?? "");
        spooling.push(isDone);
        // Whoever reads the stream hears of its error; until then nobody would.
        stream.on("error", () => undefined);
        isDone.catch(reject);
      });
      for (const event of ["partsLimit", "filesLimit", "fieldsLimit"] as const)
        parser.on(event, () => reject(tooMuch("The body has too many parts.")));
      parser.on("error", () => reject(unreadable()));
      parser.on("finish", () => void Promise.all(spooling).then(() => resolve(), reject));
      payload.pipe(parser);
    });
  } catch (error) {
    payload.unpipe(parser);
    parser.destroy();
    // The parser leaves them open: whoever reads them would wait for good.
    for (const stream of streams) stream.destroy(unreadable());
    await Promise.allSettled(spooling);
    await spool.remove(kept);
    throw error;
  }
  request.uploads = kept;
  return { fields, files };
}

/** Refuses a body that is compressed. */
export function assertNotEncoded({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "Send the body without a content encoding.");
}

function parserOf(request: FastifyRequest): BusboyInstance {
  assertNotEncoded(request);
  const { headers } = request;
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        fieldNameSize: MOST_NAME_BYTES,
        fieldSize: MOST_FIELD_BYTES,
        fields: MOST_FIELDS,
        files: MOST_FILES,
        parts: MOST_FIELDS + MOST_FILES,
      },
    });
  } catch {
    throw unreadable();
  }
}

/** Refuses a form by its parts. */
export function wrongForm(errors: readonly FieldError[]): DomainError {
  return new DomainError("BAD_REQUEST", "The form has parts that it cannot have; see errors.", { errors });
}

/** Says that a key has a file and another part, so that it is unknown which of them is meant. */
export function sentTwice(field: string): FieldError {
  return { field, rule: "unique", message: "is a file, which may be sent only once" };
}

export function unreadable(): DomainError {
  return new DomainError("BAD_REQUEST", "The body is no complete multipart/form-data.");
}

export function tooMuch(message: string): DomainError {
  return new DomainError("PAYLOAD_TOO_LARGE", message);
}

/**
 * Makes the refusal of an upload: a file was refused, broke off, or could not be written to its temporary place, such as for want
 * of room. The last is a fault of the machine, which is noted.
 */
export function refusalOf(request: FastifyRequest, error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const { syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return unreadable();
  noteFault(request, error, "an upload could not be written to its temporary file");
  return unavailable("There is no room for the file now; try again.", { cause: error });
}
