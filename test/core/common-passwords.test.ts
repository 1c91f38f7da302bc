import { isCommonPassword } from "../../src/core/access/common-passwords.js";

describe("the list of common passwords", () => {
  it.each(["1234567890", "qwertyuiop", "Password123", "BASKETBALL", "1qaz2wsx3edc", "manchester"])(
    "knows %p in any case",
    (password) => {
      expect(isCommonPassword(password)).toBe(true);
    },
  );

  it("knows a password in other forms of its letters", () => {
    expect(isCommonPassword("ｑｗｅｒｔｙｕｉｏｐ")).toBe(true);
  });

  it("knows none of a thousand passwords that nobody chooses", () => {
    const passwords = Array.from({ length: 1_000 }, (_, index) => `horse ${index * 7} staple ${index}`);

    expect(passwords.filter(isCommonPassword)).toEqual([]);
  });
});
