import { isOfOwnWords } from "../../src/slices/auth/own-words.rules.js";

const OWNER = {
  name: "Álvaro Núñez",
  email: "shop.manager@tienda-norte.example",
  company: { name: "Mercado del Río", domain: "mercadodelrio.test" },
};

describe("a password of own words", () => {
  it.each([
    "alvaro nunez",
    "ALVARONUNEZ2026!",
    "nunez-123456",
    "shop.manager@tienda-norte.example",
    "ShopManager1!",
    "tiendanorte1",
    "Mercado del Rio",
    "mercadodelrio",
    "mercadodelrio.test",
    "alvaromercado99",
    "1alvaro2alvaro3",
    "abc-alvaro-1",
  ])("is %p", (password) => {
    expect(isOfOwnWords(password, OWNER)).toBe(true);
  });

  it.each(["alvaro likes tea", "84736251904", "a long evening", "río grande del norte", "mercado-kitesurf"])(
    "is not %p",
    (password) => {
      expect(isOfOwnWords(password, OWNER)).toBe(false);
    },
  );

  it("is judged in other scripts, too", () => {
    const owner = { ...OWNER, name: "Наталья Орлова" };

    expect(isOfOwnWords("наталья-орлова-1", owner)).toBe(true);
    expect(isOfOwnWords("наталья пьёт чай", owner)).toBe(false);
  });
});
