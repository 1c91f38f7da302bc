import {
  matchedOf,
  merged,
  RANKS_OF_TIER,
  scoreOf,
  sizePatterns,
  tierNumber,
  withPlainSizes,
} from "../../src/slices/goods/search/good-search.rules.js";

describe("sizes in a text", () => {
  it.each([
    ["5 × 2,5", "5x2,5"],
    ["NYM 3*1.5 mm", "NYM 3x1.5 mm"],
    ["10 X 10 x 5", "10x10x5"],
    ["x5 pro", "x5 pro"],
    ["5 x pens", "5 x pens"],
  ])("are written without spaces: %s", (text, plain) => {
    expect(withPlainSizes(text)).toBe(plain);
  });

  it.each([
    ["5x2,5", ["5*2.5", "a 5 x 2,5 b", "5x25", "5 * 2,5mm"], ["2 * 2,5", "15x2,5", "5x2,55", "1,5x2,5"]],
    ["20x40mm", ["20 * 40 mm", "20x40"], ["20 40", "40x20"]],
  ])("are found however they are written: %s", (word, same, others) => {
    const [pattern = ""] = sizePatterns(["cable", word, "b2x"]);

    expect(sizePatterns(["cable", word, "b2x"])).toHaveLength(1);
    expect(same.filter((text) => !new RegExp(pattern, "u").test(text))).toEqual([]);
    expect(others.filter((text) => new RegExp(pattern, "u").test(text))).toEqual([]);
  });
});

describe("what two searches found", () => {
  it("stands in one order, each good by its better rank", () => {
    const found = [
      { id: 1, rank: 10, isOfCode: true },
      { id: 2, rank: 50 },
    ];
    const others = [
      { id: 2, rank: 20 },
      { id: 1, rank: 30 },
      { id: 3, rank: 20 },
    ];

    expect(merged(found, others)).toEqual([
      { id: 1, rank: 10, isOfCode: true },
      { id: 3, rank: 20 },
      { id: 2, rank: 20 },
    ]);
  });
});

describe("tiers", () => {
  it.each([
    ["whole", 1, "name"],
    ["wordsOfName", 0.85, "name"],
    ["words", 0.7, "side"],
    ["pluralsOfName", 0.6, "name"],
    ["plurals", 0.55, "side"],
    ["beginningsOfName", 0.5, "name"],
    ["beginnings", 0.45, "side"],
    ["partsOfName", 0.4, "name"],
    ["parts", 0.35, "side"],
    ["alikeInName", 0.25, "similar"],
    ["alike", 0.2, "similar"],
    ["bothPartsInName", 0.15, "similar"],
    ["bothParts", 0.12, "similar"],
    ["onePartInName", 0.09, "similar"],
    ["onePart", 0.06, "similar"],
  ] as const)("have their score and place: %s", (name, score, matched) => {
    const hit = { id: 1, rank: tierNumber(name) * RANKS_OF_TIER };

    expect([scoreOf(hit), matchedOf(hit)]).toEqual([score, matched]);
  });
});
