/** The day on which the demo data is set; every date in it counts from here. */
export const DEMO_MOMENT = new Date("2026-06-01T12:00:00Z");

const MINUTE_MS = 60_000;

export function minutesBefore(minutes: number): Date {
  return new Date(DEMO_MOMENT.getTime() - minutes * MINUTE_MS);
}

export function daysBefore(days: number): Date {
  return minutesBefore(days * 24 * 60);
}
