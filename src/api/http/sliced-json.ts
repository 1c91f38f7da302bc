import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { SlicedWork } from "../../engine/limits/loop-slices.js";
import type { LoopUser } from "../../engine/limits/loop-time.js";

/** A piece has about this many characters. */
const PIECE_CHARACTERS = 65_536;
/** An answer with more characters is sent as fast as it is read, instead of being kept as a whole for the connection. */
const MOST_SENT_WHOLE = 262_144;

/**
 * Writes a value as `JSON.stringify` does, a slice at a time: the text of a large answer takes so long that others would
 * wait for it.
 *
 * @param user is for whom the event loop works while it writes.
 * @param onPiece gets each piece while it is made, for work that would take long for all of them at once.
 * @returns the text in pieces.
 */
export async function jsonInSlices(
  value: unknown,
  user: LoopUser | null,
  onPiece: (piece: string) => void = () => undefined,
): Promise<string[]> {
  const pieces: string[] = [];
  const take = (piece: string): void => {
    pieces.push(piece);
    onPiece(piece);
  };
  const work = new SlicedWork(user);
  let piece = "";
  for (const part of partsOf(value)) {
    if (work.isOver) await work.next();
    piece += part;
    if (piece.length < PIECE_CHARACTERS) continue;
    take(piece);
    piece = "";
  }
  if (piece !== "") take(piece);
  return pieces;
}

/**
 * Returns the body of an answer: a text, or a stream when it is long.
 *
 * @param user is for whom the event loop works while it sends.
 */
export function bodyOf(pieces: readonly string[], user: LoopUser | null): string | Readable {
  let characters = 0;
  for (const { length } of pieces) characters += length;
  return characters <= MOST_SENT_WHOLE
    ? pieces.join("")
    : Readable.from(inSlices(pieces, user), { objectMode: false });
}

/** Yields each piece in a slice: to send many large answers takes as long as to write them. */
async function* inSlices(pieces: readonly string[], user: LoopUser | null): AsyncGenerator<string> {
  const work = new SlicedWork(user);
  for (const piece of pieces) {
    await work.next();
    yield piece;
  }
}

/**
 * Sends the body of an answer. A stream has to be read within no other time than that of a silent connection: the request
 * itself has been answered in time.
 */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Readable,
): FastifyReply {
  if (typeof body !== "string") clearTimeout(request.deadline ?? undefined);
  return reply.send(body);
}

/** Yields the text of a value in small parts: each row of plain values is one. */
function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let before = "[";
    for (const item of value as readonly unknown[]) {
      yield before;
      yield* partsOf(item ?? null);
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  } else if (isNested(value)) {
    let before = "{";
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* partsOf(item);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else yield JSON.stringify(value);
}

/** Whether a value is an object that holds others. What writes itself, such as a moment, is no such one. */
function isNested(value: unknown): value is object {
  if (typeof value !== "object" || value === null || "toJSON" in value) return false;
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && item !== null) return true;
  }
  return false;
}
