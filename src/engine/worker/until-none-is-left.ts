/** Repeats a statement that changes a bounded number of rows until it finds none. */
export async function untilNoneIsLeft(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}
