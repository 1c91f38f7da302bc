import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { endInSlices } from "../../engine/limits/loop-slices.js";
import type { LoopUser } from "../../engine/limits/loop-time.js";
import { JsonPieces } from "./json-pieces.js";
import { UnreadAnswer } from "./unread-answers.js";

/**
 * A value that weighs no more is written at once: a character weighs 1, and so does each key or item, besides what it holds. Most rows
 * are such values.
 */
const LIGHT = 2_048;
/** An answer with more bytes is sent as fast as it is read, instead of being kept as a whole for the connection. */
const MOST_SENT_WHOLE = 262_144;

/**
 * Writes a value as `JSON.stringify` does, a slice at a time: the text of a large answer takes so long that others would
 * wait for it.
 *
 * @param user is for whom the event loop works while it writes.
 * @param onPiece gets each piece while it is made, for work that would take long for all of them at once.
 * @returns the bytes of the text in pieces.
 * @throws DomainError UNAVAILABLE when nobody waits for it any more.
 */
export async function jsonInSlices(
  value: unknown,
  user: LoopUser | null,
  onPiece: (piece: Buffer) => void = () => undefined,
): Promise<Buffer[]> {
  const pieces = new JsonPieces(onPiece);
  await endInSlices(user, write(value, pieces));
  pieces.end();
  return pieces.written;
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
  if (body instanceof UnreadAnswer) {
    clearTimeout(request.deadline ?? undefined);
    // The answer may have been given early while the last of it was written.
    if (request.turn?.isGone === true) body.destroy();
  }
  return reply.send(body);
}

/** Writes a value, and stops after each small part of it. */
function* write(value: unknown, pieces: JsonPieces): Generator<void, void, void> {
  if (isLight(value)) yield pieces.text(JSON.stringify(value));
  else if (typeof value === "string") yield* pieces.longText(value);
  else if (Array.isArray(value)) {
    let before = "[";
    for (const item of value as readonly unknown[]) {
      pieces.text(before);
      yield* write(item ?? null, pieces);
      before = ",";
    }
    pieces.text("]");
  } else {
    let before = "{";
    for (const [key, item] of Object.entries(value as object)) {
      if (item === undefined) continue;
      pieces.text(`${before}${JSON.stringify(key)}:`);
      yield* write(item, pieces);
      before = ",";
    }
    pieces.text(before === "{" ? "{}" : "}");
  }
}

function isLight(value: unknown): boolean {
  return leftBeside(value, LIGHT) >= 0;
}

/** Returns what is left of a weight beside a value; less than 0 when the value is heavier. */
function leftBeside(value: unknown, weight: number): number {
  if (typeof value === "string") return weight - value.length;
  // What writes itself, such as a moment, is short.
  if (typeof value !== "object" || value === null || "toJSON" in value) return weight;
  let left = weight;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = leftBeside(value[index], left - 1);
    return left;
  }
  for (const key in value) {
    left = leftBeside((value as Record<string, unknown>)[key], left - 1);
    if (left < 0) break;
  }
  return left;
}
