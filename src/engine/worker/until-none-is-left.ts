/** Repeats a statement that does a bounded number of rows until it finds none. */
export async function untilNoneIsLeft(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}
