import { knownTexts } from "../../src/engine/reads/known-texts.js";
import { rowShape, type Field } from "../../src/engine/reads/row-shape.js";

const TEXT = 25;

/** The columns of a row that no other number has. */
const columns = (count: number, row: number): Field[] =>
  Array.from({ length: count }, (_, index) => ({ name: `c${row}_${index}`, dataTypeID: TEXT }));

describe("the remembered shapes", () => {
  it("stay while there are hundreds of usual ones", () => {
    const first = rowShape(columns(5, 0));

    for (let row = 1; row < 800; row += 1) rowShape(columns(5, row));

    expect(rowShape(columns(5, 0))).toBe(first);
  });

  it("go sooner when they are wide", () => {
    const first = rowShape(columns(100, 1_000));

    for (let row = 1_001; row < 1_100; row += 1) rowShape(columns(100, row));

    expect(rowShape(columns(100, 1_000))).not.toBe(first);
    expect(rowShape(columns(100, 1_099))).toBe(rowShape(columns(100, 1_099)));
  });
});

describe("known texts", () => {
  it("are bounded by their number", () => {
    const known = knownTexts<string>({ texts: 2, characters: 100 });

    for (const text of ["a", "b", "a", "c"]) if (known.get(text) === undefined) known.set(text, "");

    expect([...known.keys()].sort()).toEqual(["a", "c"]);
  });

  it("are bounded by their characters", () => {
    const known = knownTexts<string>({ texts: 10, characters: 100 });

    known.set("short", "");
    known.set("x".repeat(60), "");
    known.set("y".repeat(60), "");
    expect([...known.keys()]).toEqual(["y".repeat(60)]);

    known.set("z".repeat(101), "");
    expect([...known.keys()]).toEqual(["y".repeat(60)]);
  });
});
