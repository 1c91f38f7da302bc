import type { IncomingHttpHeaders } from "node:http";
import { finished, type Readable, type Writable } from "node:stream";
import { DomainError } from "../../core/errors/domain-error.js";
import { assertWithinValueBounds } from "../../engine/limits/value-bounds.js";
import { MOST_FIELD_BYTES, tooMuch, unreadable } from "../http/multipart-body.js";
import { withExactNumbers } from "../../engine/validation/exact-numbers.js";

/** The places in the variables that the files of a request may stand in. */
export const MOST_PLACES = 20;

type ReadField = (name: string, value: string, info: { readonly valueTruncated: boolean }) => void;

/**
 * A body on its way to the reader of multipart requests. That reader puts a file wherever `map` says, even onto what is
 * inherited, and waits for ever when a file comes twice; so every part is judged before the reader gets it.
 */
export class MultipartForm {
  /** The places of each file. */
  readonly places = new Map<string, readonly string[]>();
  /** The body has been read to its end; it is refused by the first thing that is wrong with it. */
  readonly isRead: Promise<void>;
  /** Refuses the body, if it has not been read to its end. */
  readonly fail: (error: unknown) => void;
  private readonly files = new Set<string>();
  private operations: unknown;
  private fieldBytes = 0;
  private parser: Writable | null = null;
  private end!: () => void;

  constructor(
    private readonly payload: Readable,
    readonly headers: IncomingHttpHeaders,
    private readonly maxBytes: number,
  ) {
    let fail!: (error: unknown) => void;
    this.isRead = new Promise((resolve, reject) => {
      this.end = resolve;
      fail = reject;
    });
    this.fail = fail;
    this.isRead.catch(() => undefined);
  }

  /** The reader calls this once, when it is ready for the parts. */
  pipe(parser: Writable): void {
    this.parser = parser;
    const readers = parser.listeners("field") as ReadField[];
    parser.removeAllListeners("field");
    const readField: ReadField = (name, value, info) => {
      try {
        if (!info.valueTruncated) this.judgeField(name, value);
      } catch (error) {
        this.fail(error);
        return;
      }
      for (const read of readers) read(name, value, info);
    };
    parser.on("field", readField);
    parser.on("file", (name: string) => {
      if (this.files.has(name)) this.fail(wrongMap(`has two files ${JSON.stringify(name)}`));
      this.files.add(name);
    });
    parser.on("error", this.fail);
    parser.on("close", this.end);
    let bytes = 0;
    this.payload.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.maxBytes + 2 * MOST_FIELD_BYTES) this.fail(tooMuch("The body is too large."));
    });
    // Whoever hangs up gets no answer; the files have to go all the same.
    finished(this.payload, (error) => error != null && this.fail(unreadable()));
    this.payload.pipe(parser);
  }

  unpipe(parser: Writable): void {
    this.payload.unpipe(parser);
  }

  /** The reader would read the rest of a body that it refuses. */
  resume(): void {}

  /** The reader would hear of a caller who hangs up; `isRead` says that. */
  once(): void {}

  /** Reads no more; the streams of the files break off. */
  stop(): void {
    if (this.parser === null) return;
    this.payload.unpipe(this.parser);
    this.parser.destroy();
  }

  /** Judges what the reader would take as it is; the reader itself refuses what is no JSON, missing or in disorder. */
  private judgeField(name: string, text: string): void {
    this.fieldBytes += Buffer.byteLength(text);
    if (this.fieldBytes > MOST_FIELD_BYTES)
      throw tooMuch(`The fields may have at most ${MOST_FIELD_BYTES} bytes.`);
    if (name === "operations") this.judgeOperations(jsonOf(text));
    if (name === "map" && this.operations !== undefined) this.judgeMap(this.operations, jsonOf(text));
  }

  private judgeOperations(operations: unknown): void {
    if (Array.isArray(operations)) throw new DomainError("BAD_REQUEST", "Send operations as a JSON object.");
    assertWithinValueBounds(operations, "body");
    this.operations = operations;
  }

  private judgeMap(operations: unknown, map: unknown): void {
    if (typeof map !== "object" || map === null) return;
    const entries = Object.entries(map);
    const isMap = entries.every(
      ([, paths]) =>
        Array.isArray(paths) && paths.length > 0 && paths.every((path) => typeof path === "string"),
    );
    const all = entries.flatMap(([, paths]) => paths as string[]);
    if (!isMap || all.length > MOST_PLACES || new Set(all).size < all.length)
      throw wrongMap(`must name at most ${MOST_PLACES} places, each once, as arrays of texts`);
    for (const path of all)
      if (!path.startsWith("variables.") || valueAt(operations, path) !== null)
        throw wrongMap(`names ${JSON.stringify(path)}, where there is no null among the variables`);
    for (const [name, paths] of entries) this.places.set(name, paths as string[]);
  }
}

/** Returns `undefined` for a text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(withExactNumbers(text)) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns what stands at a path such as `variables.input.avatar`, without what is inherited. */
export function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce(ownValue, body);
}

/** Puts a value in a place that has been judged. */
export function put(body: object, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() as string;
  (keys.reduce<unknown>(ownValue, body) as Record<string, unknown>)[last] = value;
}

function ownValue(target: unknown, key: string): unknown {
  return typeof target === "object" && target !== null && Object.hasOwn(target, key)
    ? (target as Record<string, unknown>)[key]
    : undefined;
}

export function wrongMap(message: string): DomainError {
  return new DomainError("BAD_REQUEST", `The map of the files ${message}.`);
}
