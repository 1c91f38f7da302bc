import { isOffset, isZoneName, momentAt } from "./zones.js";

const MOMENT =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?<offset>Z|[+-]\d{2}:?\d{2})?)?$/iu;

/** Writes a moment as answers show it, in UTC: `YYYY-MM-DD HH:MM:SS` (contract §2.5). */
export function formatMoment(moment: Date): string {
  const time = moment.getTime();
  if (time === lastTime) return lastText;
  const day = Math.floor(time / DAY_MS);
  if (day !== lastDay) {
    lastDate = moment.toISOString().split("T", 1)[0] as string;
    lastDay = day;
  }
  const seconds = Math.floor((time - day * DAY_MS) / 1000);
  const minutes = Math.floor(seconds / 60);
  lastText = `${lastDate} ${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  lastTime = time;
  return lastText;
}

/** Writes a moment in UTC as ISO 8601 with microseconds: `2026-11-22T08:30:00.125000Z`. */
export function formatIsoMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, -1)}000Z`;
}

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
/**
 * The last moment and its date are kept: a row that was never changed has one moment twice, and the moments of one answer often
 * share their day, which takes longest to find.
 */
let lastTime = NaN;
let lastText = "";
let lastDay = NaN;
let lastDate = "";

/**
 * Reads `YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS` or ISO 8601. Without an offset of its own the text is local
 * time in `zone`, an offset or the name of a zone.
 *
 * @returns `null` when the text has none of these forms, when no such moment exists (30 February), and when it lies
 *   outside the years 1 to 9999 in UTC.
 */
export function parseMoment(text: string, zone = "+00:00"): Date | null {
  const parts = MOMENT.exec(text)?.groups;
  if (parts === undefined) return null;
  const date = parts["date"] as string;
  const time = parts["time"] ?? "00:00:00";
  const local = new Date(`${date}T${time}Z`);
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== date) return null;
  const given = parts["offset"];
  const read = given === undefined ? zone : withColon(given);
  if (!isOffset(read) && !isZoneName(read)) return null;
  const moment = momentAt(read, local);
  return moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999 ? moment : null;
}

/** Reads a moment of an input that has been checked. @throws RangeError when the text is no moment. */
export function readMoment(text: string, zone: string): Date {
  const moment = parseMoment(text, zone);
  if (moment === null) throw new RangeError(`not a moment: ${text}`);
  return moment;
}

/**
 * The moment that an update sets. Answers show moments without a fraction of a second: one that is sent as the stored one is shown
 * means the stored one.
 */
export function momentAfter(stored: Date | null | undefined, sent: Date): Date {
  const isShownAlike = stored != null && sent.getTime() === Math.floor(stored.getTime() / 1000) * 1000;
  return isShownAlike ? stored : sent;
}

function withColon(offset: string): string {
  if (/^z$/iu.test(offset)) return "+00:00";
  return offset.includes(":") ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
}
