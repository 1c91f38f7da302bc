import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";

const SEARCH = `query ($companyId: Int!, $q: String!) {
  searchGoods(companyId: $companyId, q: $q) { edges { matched node { name } } }
}`;

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const make = (name: string, others: object = {}) => createGood(gateway, company.id, { name, ...others });

async function found(q: string): Promise<string[]> {
  const { searchGoods } = dataOf(await gateway.anonymous.run(SEARCH, { companyId: company.id, q }));
  return (searchGoods.edges as { matched: string; node: { name: string } }[]).map(
    ({ matched, node }) => `${node.name}: ${matched}`,
  );
}

describe("other forms of words", () => {
  it.each([
    ["Limón", "limones"],
    ["Luz de noche", "luces"],
    ["Tasse", "Tassen"],
    ["Apfel", "Äpfel"],
    ["Türschloss", "Türschlösser"],
    ["Storage box", "boxes"],
    ["Knife", "knives"],
    ["Battery", "batteries"],
    ["Pão", "pães"],
    ["Limão", "limões"],
    ["Anel", "anéis"],
    ["Cheval", "chevaux"],
    ["Gâteau", "gâteaux"],
  ])("find %s by %s, and the other way round", async (one, other) => {
    await make(one);

    expect(await found(other)).toEqual([`${one}: name`]);

    await gateway.db.good.updateMany({ where: { companyId: company.id }, data: { name: other } });
    expect(await found(one.split(" ").at(0) === "Storage" ? "box" : (one.split(" ")[0] as string))).toEqual([
      `${other}: name`,
    ]);
  });

  it("stand behind the words as they are, and before their beginnings and parts", async () => {
    await make("Weißblech", { keywords: ["Tassen"] });
    await make("Tasse");
    await make("Henkel", { shortDetails: "Für eine Tasse" });
    await make("Tassenhalter");
    await make("Teetasse");

    expect(await found("tassen")).toEqual([
      "Weißblech: side",
      "Tasse: name",
      "Henkel: side",
      "Tassenhalter: name",
      "Teetasse: name",
    ]);
  });

  it("are no words of another gender", async () => {
    await make("Manzana");
    await make("Manzano");

    expect((await found("manzanas"))[0]).toBe("Manzana: name");
    expect(await found("manzanos")).toEqual(["Manzano: name", "Manzana: similar"]);
  });
});

describe("languages of the settings", () => {
  const SET = `mutation ($companyId: Int!, $languages: [SearchLanguage!]) {
    updateSettings(companyId: $companyId, input: { searchLanguages: $languages }) { searchLanguages }
  }`;
  const set = async (languages: string[] | null) =>
    expect(dataOf(await company.owner.run(SET, { companyId: company.id, languages })).updateSettings).toEqual(
      { searchLanguages: languages },
    );

  it.each([
    ["Museum", "museen", "de", "es"],
    ["Luz de noche", "luces", "es", "de"],
    ["Pão", "pães", "pt", "fr"],
    ["Cheval", "chevaux", "fr", "en"],
    ["Knife", "knives", "en", "pt"],
  ])("find %s by %s where %s is one of them, and not by %s alone", async (name, q, own, other) => {
    await make(name);

    for (const languages of [[own], [other, own], null]) {
      await set(languages);
      expect([languages, await found(q)]).toEqual([languages, [`${name}: name`]]);
    }
    await set([other]);
    expect(await found(q)).not.toContain(`${name}: name`);
  });

  it("find regular plurals each by itself", async () => {
    const words = {
      de: "Tasse Tassen, Foto Fotos, Handy Handys, Laptop Laptops",
      en: "Box boxes, Tomato tomatoes",
      es: "Auricular auriculares, Pared paredes, Volcán volcanes, Panel paneles, Menú menús",
      fr: "Boulanger boulangers, Vélo vélos, Gâteau gâteaux",
      pt: "Colher colheres, Nariz narizes, Anel anéis",
    };
    const pairsOf = (text: string) => text.split(", ").map((pair) => pair.split(" ") as [string, string]);
    for (const [one] of Object.values(words).flatMap(pairsOf)) await make(one);

    for (const [language, text] of Object.entries(words)) {
      await set([language]);
      for (const [one, other] of pairsOf(text))
        expect([language, (await found(other))[0]]).toEqual([language, `${one}: name`]);
    }
  });

  it("have the stop words that a search may leave out", async () => {
    await make("Green tea");
    await make("Cover for pots");
    const path = `/companies/${company.id}/goods/search?q=green%20tea%20for&fields=name`;
    const search = async (languages: string[] | null) => {
      const body = { search_languages: languages };
      const { status } = await company.owner.rest("PATCH", `/companies/${company.id}/settings`, { body });
      const answer = await gateway.anonymous.rest("GET", path);
      return [status, answer.headers["search-relaxed"], answer.body];
    };
    const relaxed = [200, "for", [{ name: "Green tea" }]];

    expect(await search(["en", "de"])).toEqual(relaxed);
    expect(await search(["de", "es"])).toEqual([200, undefined, []]);
    expect(await search(null)).toEqual(relaxed);
  });

  it("are those of one company", async () => {
    const other = await createCompany(gateway);
    await createGood(gateway, other.id, { name: "Museum" });
    await set(["es"]);

    const { searchGoods } = dataOf(await gateway.anonymous.run(SEARCH, { companyId: other.id, q: "museen" }));

    expect(searchGoods.edges).toEqual([{ matched: "name", node: { name: "Museum" } }]);
  });
});

describe("compounds", () => {
  it("are found by their last word, by both words, and where they are written apart", async () => {
    await make("Tasse für Kaffee");
    await make("Lautsprecherkabel");
    await make("PlayStation pad");

    expect(await found("kaffeetasse")).toEqual(["Tasse für Kaffee: name"]);
    expect(await found("kaffeetassen")).toEqual(["Tasse für Kaffee: name"]);
    expect(await found("kabel")).toEqual(["Lautsprecherkabel: name"]);
    expect(await found("lautsprecher kabel")).toEqual(["Lautsprecherkabel: name"]);
    expect(await found("play station")).toEqual(["PlayStation pad: name"]);
  });

  it("are not split into words that the company does not have", async () => {
    await make("Kaffee");

    expect(await found("kaffeegarten")).toEqual([]);
  });

  it("are found by one of their parts where nothing is found otherwise", async () => {
    for (const name of ["Kamera", "Kaffee", "Bohrhammer", "Akku", "Heißluftfritteuse"]) await make(name);

    expect(await found("überwachungskameras")).toEqual(["Kamera: similar"]);
    expect((await found("akkubohrer")).sort()).toEqual(["Akku: similar", "Bohrhammer: similar"]);
    expect(await found("friteuse")).toEqual(["Heißluftfritteuse: similar"]);
    await make("Kamera für Kaffee");
    expect(await found("Kaffee überwachungskamera")).toEqual(["Kamera für Kaffee: similar"]);
    expect(await found("bohrhammer")).toEqual(["Bohrhammer: name"]);
  });

  it("are found by both of their parts behind words like them, where several words end in the second one", async () => {
    for (const name of ["Standmixer", "Stabmixer für die Hand", "Handtuch"]) await make(name);

    expect(await found("handmixer")).toEqual(["Standmixer: similar", "Stabmixer für die Hand: similar"]);
    expect(await found("fußmixer")).not.toContain("Handtuch: similar");
  });
});

it("finds small numbers as words, and the other way round", async () => {
  await make("Pizza Cuatro Quesos");
  await make("Torta 3 leches");
  await make("Pizza 2 quesos");

  expect(await found("pizza 4 quesos")).toEqual(["Pizza Cuatro Quesos: name"]);
  expect(await found("tortas tres leches")).toEqual(["Torta 3 leches: name"]);
  expect(await found("4")).toEqual([]);
});

it("finds a size however it is written, and no other of the same numbers", async () => {
  for (const name of ["Cable 5×2.5", "Cord 5 x 2,5", "Line 5x2,5mm", "Strip 2 × 2,5"]) await make(name);

  for (const q of ["5x2,5", "5 × 2.5", "5X2.5"])
    expect([q, (await found(q)).sort()]).toEqual([
      q,
      ["Cable 5×2.5: name", "Cord 5 x 2,5: name", "Line 5x2,5mm: name"],
    ]);
  expect(await found("strip 2x2,5")).toEqual(["Strip 2 × 2,5: name"]);
});

it("has like names before like words elsewhere, and names that begin with the word before others", async () => {
  await make("Pot", { keywords: ["espresso"] });
  await make("Machine for espresso");
  await make("Black tea");
  await make("Tea");
  await make("Teapot of iron, black");

  expect(await found("espreso")).toEqual(["Machine for espresso: similar", "Pot: similar"]);
  expect(await found("tea")).toEqual(["Tea: name", "Black tea: name", "Teapot of iron, black: name"]);
});
