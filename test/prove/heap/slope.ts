/** A straight line through figures that are one step apart. */
export interface Slope {
  readonly perStep: number;
  /** The standard error of it. */
  readonly error: number;
}

/** Fits a line by least squares. @param figures at least three. */
export function slopeOf(figures: readonly number[]): Slope {
  const count = figures.length;
  const middle = (count - 1) / 2;
  const mean = sum(figures) / count;
  const spread = sum(figures.map((_, step) => (step - middle) ** 2));
  const perStep = sum(figures.map((figure, step) => (step - middle) * (figure - mean))) / spread;
  const squares = sum(figures.map((figure, step) => (figure - mean - perStep * (step - middle)) ** 2));
  return { perStep, error: Math.sqrt(squares / (count - 2) / spread) };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
