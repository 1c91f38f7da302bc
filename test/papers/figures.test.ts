import { readFileSync } from "node:fs";
import { notedFigures, pageWith, ROWS } from "../bench/noted-figures.js";

const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

describe("the figures of the pages", () => {
  it("are those that the benchmark has written", async () => {
    expect(await pageWith(page, notedFigures())).toBe(page);
  });

  it("are there for each row of the table, and for no other workload", () => {
    const shown = ROWS.flatMap(({ graphql, rest }) => [graphql, rest]).filter((name) => name !== undefined);

    expect(Object.keys(notedFigures()).sort()).toEqual([...shown].sort());
  });

  it("stand on no other page, where only steps from one figure to another are written", () => {
    for (const name of ["src/README.md", "test/README.md"]) {
      const text = readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

      expect(text.replace(/\d\.\d\d → \d\.\d\d|\d\.\d\d ms/gu, "")).not.toMatch(/\b\d\.\d\d\b/u);
    }
  });

  it("change with the file", async () => {
    const one = { day: "2000-01-01", rps: 1234567, ratio: 0.125 };
    const figures = { ...notedFigures(), one, "rest-one": { ...one, rps: 765432, ratio: 0.5 } };

    expect(await pageWith(page, figures)).toMatch(
      /\| one good +\| 1,234,567 \| 0.13 +\| 765,432 \| 0.50 +\| 2000-01-01 \|/u,
    );
  });

  it("need a place on the page", async () => {
    await expect(pageWith("# Page", {})).rejects.toThrow("no place for figures");
  });
});
