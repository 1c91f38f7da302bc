import { Extensions } from "type-graphql";

/** The extension of a query or mutation that says how long it works. */
export const EXPECTED_WORK = "expectedWork";

/**
 * Says how many milliseconds the event loop and the database are expected to work for an operation whose answer does not show
 * its work, such as a search. It is priced by them until enough runs have shown what it takes.
 */
export const ExpectedWork = (milliseconds: number): MethodDecorator =>
  Extensions({ [EXPECTED_WORK]: milliseconds });
