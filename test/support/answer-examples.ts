const MOMENT = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2}|T\d{2}:\d{2}:\d{2}\.\d{6}Z)$/u;
/** The random part of the URL of a stored file. */
const FILE = /(?<=^\/files\/)[0-9a-f]{32}(?=[-.])/u;
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbjoxIn0.c2lnbmF0dXJl";

/** Values that every run makes anew, by the names of their keys; with the operation where others keep theirs. */
const FRESH: Readonly<Record<string, string | number | boolean>> = {
  access_token: TOKEN,
  device_token: TOKEN,
  refresh_token: "3.q8Zp0Lr4Vw",
  request_id: "3f2b8c1e-5d4a-4e6f-8a7b-9c0d1e2f3a4b",
  password_setup_token: "3.q8Zp0Lr4Vw",
  "refundInvoiceDocument.document_id": "3f2b8c1e-5d4a-4e6f-8a7b-9c0d1e2f3a4b",
  "shake.code": "AB23CD45",
  "holdCouponAtTill.expires_at": "2026-06-01 12:15:00",
  "showDayTime.time": "12:00",
  "showDayTime.date": "2026-06-01",
  "showDayTime.weekday": 1,
  "showDayTime.is_open": true,
};

/** A later change of a row is shown up to some seconds ahead of the clock. */
const AHEAD_MS = 60_000;
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/**
 * Returns an answer as the reference shows it: of a list the first row, and fixed values in place of those that each
 * run makes anew.
 *
 * @param began is when the run began: moments from then on are those of the run, or a year after it.
 */
export function shownAnswer(operationId: string, answer: unknown, began: Date): unknown {
  const shown = Array.isArray(answer) ? answer.slice(0, 1) : answer;
  const settled = (value: unknown): unknown => {
    if (typeof value === "string")
      return settledMoment(value, began).replace(FILE, "5f0c2d1e8b9a47f6a3d0c1b2e4f58697");
    if (Array.isArray(value)) return value.map(settled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const fresh = FRESH[key] ?? FRESH[`${operationId}.${key}`];
        return [key, item === null ? null : (fresh ?? settled(item))];
      }),
    );
  };
  return settled(shown);
}

function settledMoment(text: string, began: Date): string {
  if (!MOMENT.test(text)) return text;
  const isIso = text.includes("T");
  const at = Date.parse(isIso ? text : `${text.replace(" ", "T")}Z`);
  const isOfRun = (moment: number): boolean =>
    moment >= began.getTime() - 1_000 && moment <= Date.now() + AHEAD_MS;
  const year = isOfRun(at) ? 2026 : isOfRun(at - YEAR_MS) ? 2027 : null;
  if (year === null) return text;
  return isIso ? `${year}-06-01T12:00:00.000000Z` : `${year}-06-01 12:00:00`;
}
