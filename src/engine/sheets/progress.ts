/** All bytes of a file are read before the last of its rows are. */
const MOST_READ = 0.999;

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

  /** From 0 to 1; less than 1, since rows may follow. */
  get read(): number {
    return Math.min(this.done / this.total, MOST_READ);
  }
}
