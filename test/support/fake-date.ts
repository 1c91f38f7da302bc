/** All that jest would fake besides `Date`, with what measures and waits. */
const REAL = [
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "hrtime",
  "nextTick",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
] as const;

/** Sets the date of this process until `jest.useRealTimers()`; timers and durations stay as they are. */
export function fakeDate(now: Date | number): void {
  jest.useFakeTimers({ now, doNotFake: [...REAL] });
}
