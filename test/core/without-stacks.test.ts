import { withoutStacks } from "../../src/core/errors/without-stacks.js";

const framesOf = ({ stack = "" }: Error): number => stack.split("\n    at ").length - 1;

describe("errors about a request", () => {
  it("have no stacks, and others have theirs again", () => {
    const within = withoutStacks(() => new Error("wrong"));
    const after = new Error("fault");

    expect(framesOf(within)).toBe(0);
    expect(framesOf(after)).toBeGreaterThan(0);
  });

  it("leave stacks on although one is thrown", () => {
    const run = (): never =>
      withoutStacks(() => {
        throw new Error("wrong");
      });

    expect(run).toThrow("wrong");
    expect(framesOf(new Error("fault"))).toBeGreaterThan(0);
  });
});
