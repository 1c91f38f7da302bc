import { relaxations, type WordFacts } from "../../src/slices/goods/search/relaxed-words.rules.js";

const fact = (word: string, facts: Partial<WordFacts> = {}): WordFacts => ({
  word,
  written: word,
  isStop: false,
  isKnown: true,
  isLike: false,
  ...facts,
});

const kept = (facts: WordFacts[], needed?: ReadonlySet<string>): string[] =>
  relaxations(facts, needed).map((words) => words.map(({ word }) => word).join(" "));

describe("relaxations", () => {
  it("leave out stop words, then what is unlike all words of goods, then what no good has", () => {
    const facts = [
      fact("the", { isStop: true }),
      fact("tomatoo", { isKnown: false, isLike: true }),
      fact("xyzzy", { isKnown: false }),
      fact("sauce"),
    ];

    expect(kept(facts)).toEqual(["tomatoo xyzzy sauce", "tomatoo sauce", "sauce"]);
    expect(kept(facts, new Set(["xyzzy"]))).toEqual(["tomatoo xyzzy sauce", "xyzzy sauce"]);
  });

  it("leave a word at least, and are others each time", () => {
    expect(kept([fact("the", { isStop: true }), fact("of", { isStop: true })])).toEqual([]);
    expect(kept([fact("red"), fact("wine")])).toEqual([]);
    expect(kept([fact("red"), fact("xyzzy", { isKnown: false })])).toEqual(["red"]);
  });
});
