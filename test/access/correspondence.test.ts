import { Correspondence } from "./correspondence.js";

const [ONE, OTHER, THIRD] = ["a", "b", "c"].map((digit) => digit.repeat(32)) as [string, string, string];

describe("values of two worlds that stand for each other", () => {
  it("pairs random parts of texts for good", () => {
    const world = new Correspondence();

    expect(world.inTermsOf({ url: `/files/${ONE}.png` }, { url: `/files/${OTHER}.png` })).toEqual({
      url: `/files/${ONE}.png`,
    });
    expect(world.inTermsOf([ONE], [OTHER])).toEqual([ONE]);
    expect(world.inTermsOf([ONE], [THIRD])).toEqual([THIRD]);
    expect(world.inTermsOf([THIRD], [OTHER])).toEqual([OTHER]);
  });

  it("takes moments for the same that are near, in any form", () => {
    const world = new Correspondence();

    expect(world.inTermsOf("2026-06-01 12:00:00", "2026-06-01 12:00:59")).toBe("2026-06-01 12:00:00");
    expect(world.inTermsOf("2026-06-01 12:00:00", "2026-06-01 12:01:01")).toBe("2026-06-01 12:01:01");
    expect(world.inTermsOf("2026-06-01T12:00:00.5+00:00", "2026-06-01T12:00:01Z")).toBe(
      "2026-06-01T12:00:00.5+00:00",
    );
  });

  it.each([
    ["another text", "running", "ready"],
    ["another form", ONE, `${OTHER}.png`],
    ["another number", 1, 2],
    ["null", ONE, null],
    ["a longer list", [1], [1, 2]],
    ["another key", { one: 1 }, { other: 1 }],
    ["a list for an object", {}, []],
  ])("leaves %s as it is", (_what, one, other) => {
    expect(new Correspondence().inTermsOf(one, other)).toEqual(other);
  });
});
