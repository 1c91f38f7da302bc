/** Loaded by `--import`, shifts the clock of a process by the milliseconds of `CLOCK_SKEW_MS`. */
const skew = Number(process.env["CLOCK_SKEW_MS"] ?? 0);
const Real = globalThis.Date;

globalThis.Date = class Date extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + skew);
    else super(...given);
  }

  static now() {
    return Real.now() + skew;
  }
};
