import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { SlicedWork } from "../../engine/limits/loop-slices.js";
import type { LoopUser } from "../../engine/limits/loop-time.js";
import { UnreadAnswer } from "./unread-answers.js";

/**
 * A piece has about this many characters. It is kept as bytes: those are beside the heap, whose collections would have to copy
 * the texts of large answers while everybody waits.
 */
const PIECE_CHARACTERS = 65_536;
/** An answer with more bytes is sent as fast as it is read, instead of being kept as a whole for the connection. */
const MOST_SENT_WHOLE = 262_144;

/**
 * Writes a value as `JSON.stringify` does, a slice at a time: the text of a large answer takes so long that others would
 * wait for it.
 *
 * @param user is for whom the event loop works while it writes.
 * @param onPiece gets each piece while it is made, for work that would take long for all of them at once.
 * @returns the bytes of the text in pieces.
 */
export async function jsonInSlices(
  value: unknown,
  user: LoopUser | null,
  onPiece: (piece: Buffer) => void = () => undefined,
): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  const take = (text: string): void => {
    const piece = Buffer.from(text);
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
 * Returns the body of an answer: its bytes, or a stream when they are many.
 *
 * @param user is for whom the event loop works while it sends.
 */
export function bodyOf(pieces: readonly Buffer[], user: LoopUser | null): Buffer | Readable {
  let bytes = 0;
  for (const { length } of pieces) bytes += length;
  return bytes <= MOST_SENT_WHOLE ? Buffer.concat(pieces) : new UnreadAnswer(pieces, user);
}

/**
 * Sends the body of an answer. A stream has to be read within no other time than that of a silent connection: the request
 * itself has been answered in time.
 */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer | Readable,
): FastifyReply {
  if (body instanceof UnreadAnswer) clearTimeout(request.deadline ?? undefined);
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
