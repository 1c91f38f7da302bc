/** How much of a file has been read. */
export class Progress {
  private done = 0;
  private total = 1;

  expect(total: number): void {
    this.total = Math.max(total, 1);
  }

  add(amount: number): void {
    this.done += amount;
  }

  /** From 0 to 1. */
  get read(): number {
    return Math.min(this.done / this.total, 1);
  }
}
