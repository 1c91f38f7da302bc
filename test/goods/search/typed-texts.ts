import { readFileSync } from "node:fs";
import { goodsOfGroups } from "../../../src/demo/good-row.js";
import { readCompany } from "../../../src/demo/read-company.js";

/** A text that people type, and the beginnings of the names of the goods that they mean; none where the shop has none. */
export interface TypedText {
  readonly q: string;
  readonly meant: readonly string[];
}

/** A good by what searches look at. */
export interface SoughtGood {
  readonly name: string;
  readonly shortDetails: string;
  readonly sku?: string;
  readonly keywords: string[];
}

/** A shop, and what people type in it. */
export interface TypedShop {
  readonly goods: readonly SoughtGood[];
  readonly texts: readonly TypedText[];
  /** Groups of synonyms as the shop would set them, for words that none of its goods has. */
  readonly synonyms: readonly (readonly string[])[];
}

/** The shops by their names: those of the demo data, one in three more languages, and one that nobody tuned the search by. */
export const TYPED_SHOPS: Readonly<Record<string, TypedShop>> = {
  caracas: {
    goods: demoGoods("avila"),
    texts: textsOf("typed-in-caracas.txt"),
    synonyms: [
      ["3", "tres"],
      ["4", "cuatro"],
      ["papel de baño", "papel higiénico"],
      ["banana", "cambur"],
    ],
  },
  berlin: {
    goods: demoGoods("spreewerk"),
    texts: textsOf("typed-in-berlin.txt"),
    synonyms: [
      ["Spülmaschine", "Geschirrspüler"],
      ["Kühlschrank", "Kühl-Gefrier-Kombination", "Gefrierschrank"],
      ["Bohrmaschine", "Bohrhammer"],
      ["Espressomaschine", "Siebträger"],
      ["Handmixer", "Stabmixer"],
      ["Akkubohrer", "Akkuschrauber"],
      ["TV", "Fernseher"],
      ["LAN Kabel", "Netzwerkkabel"],
      ["Werkzeugkasten", "Werkzeugkoffer"],
      ["Staubsauger", "Bodenstaubsauger"],
      ["Überwachungskamera", "Kamera"],
      ["Mehrfachsteckdose", "Steckdosenleiste"],
    ],
  },
  harbour: {
    goods: goodsOf("goods-of-the-harbour.txt"),
    texts: textsOf("typed-by-the-harbour.txt"),
    synonyms: [],
  },
  arcade: {
    goods: goodsOf("goods-of-the-arcade.txt"),
    texts: textsOf("typed-in-the-arcade.txt"),
    synonyms: [],
  },
};

function demoGoods(name: string): SoughtGood[] {
  return goodsOfGroups(readCompany(name).catalogue.goods)
    .filter(({ isDeleted }) => isDeleted !== true)
    .map(({ name, shortDetails, sku, keywords = [] }) => ({
      name,
      shortDetails,
      sku,
      keywords: [...keywords],
    }));
}

function goodsOf(file: string): SoughtGood[] {
  return linesOf(file).flatMap((line) => {
    const [names = "", shortDetails = "", keywords = ""] = line.split(" | ");
    return namesOf(names).map((name) => ({ name, shortDetails, keywords: keywords.split(", ") }));
  });
}

/** Returns the name with each choice of those in braces. */
function namesOf(name: string): string[] {
  const [whole, choices] = /\{([^}]*)\}/u.exec(name) ?? [];
  if (whole === undefined || choices === undefined) return [name];
  return choices.split(",").flatMap((choice) => namesOf(name.replace(whole, choice)));
}

function textsOf(file: string): TypedText[] {
  return linesOf(file).map((line) => {
    const [q = "", meant = ""] = line.split(/ >\s?/u);
    return { q, meant: meant === "" ? [] : meant.split(" | ") };
  });
}

function linesOf(file: string): string[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** Returns at which place, from 1, a list has what was meant; 1 where nothing was meant and nothing is found, else 0. */
export function placeOf({ meant }: TypedText, names: readonly string[]): number {
  if (meant.length === 0) return names.length === 0 ? 1 : 0;
  return 1 + names.findIndex((name) => meant.some((beginning) => name.startsWith(beginning)));
}
