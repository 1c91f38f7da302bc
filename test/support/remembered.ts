/**
 * Stops the clock by which the service forgets what it remembers for seconds, such as roles and companies. Counts of
 * statements need it: without it they depend on how long the requests before them took.
 *
 * @returns a function that lets the clock go on.
 */
export function keepRemembered(): () => void {
  const clock = jest.spyOn(performance, "now").mockReturnValue(performance.now());
  return () => clock.mockRestore();
}

/** Lets pass the seconds for which instances remember logins, roles and keys; the clock then stands still. */
export function fiveSecondsLater(): void {
  const now = performance.now() + 5_000;
  jest.spyOn(performance, "now").mockReturnValue(now);
}
