import { groupErrors, tidied, withSynonyms } from "../../src/slices/goods/search/search-synonyms.rules.js";

const PHRASES: Readonly<Record<string, string>> = {
  "soft-drink": "soft drink",
  "-": "",
  "t-shirt": "t shirt",
};
const phraseOf = (text: string): string => PHRASES[text] ?? text;
const GROUPS = [
  ["soda", "soft drink", "refresco"],
  ["drink", "beverage"],
  ["fizz", "soda"],
  ["t-shirt", "camiseta"],
].map((texts) => ({ texts, phrases: texts.map(phraseOf) }));
const synonymsOf = (words: readonly string[], groups = GROUPS) => ({
  groups,
  phraseOf: new Map(words.map((word) => [word, phraseOf(word)])),
});

describe("withSynonyms", () => {
  it.each<[string, readonly (readonly string[])[] | null]>([
    ["cold soda can", [["cold"], ["soda", "soft drink", "refresco", "fizz"], ["can"]]],
    ["soft drink", [["soft drink", "soda", "refresco"]]],
    ["big cold drink", [["big cold"], ["drink", "beverage"]]],
    ["soft-drink can", [["soft-drink", "soda", "soft drink", "refresco"], ["can"]]],
    ["soft - drink", [["soft - drink", "soda", "soft drink", "refresco"]]],
    ["red t shirt", [["red"], ["t shirt", "t-shirt", "camiseta"]]],
    ["t-shirt", [["t-shirt", "camiseta"]]],
    ["soft", null],
    ["", null],
  ])("splits %p", (text, parts) => {
    const words = text.split(" ");
    expect(withSynonyms(words, synonymsOf(words))).toEqual(parts);
  });

  it("leaves a text alone where the company has no synonyms of it", () => {
    expect(withSynonyms(["soda"], synonymsOf(["soda"], []))).toBeNull();
  });
});

describe("groups of synonyms", () => {
  it("are kept without spaces around texts, and with each text once", () => {
    expect(tidied([" soft \t drink", "soda", "soft drink"])).toEqual(["soft drink", "soda"]);
  });

  it("name what no search could have", () => {
    expect(groupErrors([["a", "b"], ["c"], ["d", "--", "one two three four five"]])).toEqual([
      {
        field: "groups[1]",
        rule: "min_items",
        message: "has one text alone, at least 2 different ones are needed",
      },
      { field: "groups[2][1]", rule: "format", message: "has no letter and no digit" },
      { field: "groups[2][2]", rule: "max_words", message: "has 5 words, at most 4 are allowed" },
    ]);
  });
});
