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

  it("takes signed tokens for the same that tell the same, also when one world made them in one second, the other in two", () => {
    const token = (sid: string, iat: number, sub = "admin:1"): string =>
      [{ alg: "HS256" }, { sid, sub, iat }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .concat(`${sid}${iat}`.padEnd(43, "x"))
        .join(".");
    const world = new Correspondence();

    const first = token(ONE, 1_795_844_450);
    expect(world.inTermsOf(first, token(OTHER, 1_795_844_449))).toBe(first);
    expect(world.inTermsOf(first, token(OTHER, 1_795_844_450))).toBe(first);
    for (const another of [
      token(THIRD, 1_795_844_450),
      token(OTHER, 1_795_844_511),
      token(OTHER, 1_795_844_450, "admin:2"),
    ])
      expect(world.inTermsOf(first, another)).toBe(another);
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
