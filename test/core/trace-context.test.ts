import { readTraceParent, traceBelow, traceParent } from "../../src/core/trace-context.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("traceparent", () => {
  it("is read with its flag", () => {
    expect(readTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
    });
    expect(readTraceParent(`00-${TRACE}-${SPAN}-02`)?.isSampled).toBe(false);
  });

  it("of a later version may have more", () => {
    expect(readTraceParent(`cc-${TRACE}-${SPAN}-01-more`)?.traceId).toBe(TRACE);
  });

  it.each([
    undefined,
    "",
    "00",
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-1`,
    [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  ])("counts as missing when it is %p", (header) => {
    expect(readTraceParent(header)).toBeNull();
  });

  it("goes on in a span of its own", () => {
    const below = traceBelow({ traceId: TRACE, isSampled: true });

    expect(traceParent(below)).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`, "u"));
    expect(below.spanId).not.toBe(SPAN);
    expect(readTraceParent(traceParent(below))).toEqual(below);
  });

  it("begins anew without a caller's, each time another", () => {
    const begun = Array.from({ length: 1_000 }, () => traceBelow(null));

    expect(begun.every((one) => /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/u.test(traceParent(one)))).toBe(true);
    expect(new Set(begun.map(({ traceId }) => traceId)).size).toBe(1_000);
    expect(new Set(begun.map(({ spanId }) => spanId)).size).toBe(1_000);
  });
});
