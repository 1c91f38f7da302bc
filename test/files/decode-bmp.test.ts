import { decodeBmp } from "../../src/engine/storage/decode-bmp.js";
import { bitmap } from "./pictures.js";

const [RED, GREEN, BLUE, WHITE] = [0xc81e1e, 0x1ec81e, 0x1e1ec8, 0xffffff];
const PALETTE = [RED, GREEN, BLUE, WHITE];
const NAMES = new Map(PALETTE.map((color, n) => [color, "rgbw"[n]]));

/** The rows of a picture from the top, a letter for each pixel. */
function rowsOf(parts: Parameters<typeof bitmap>[0]): string[] {
  return shown(bitmap({ palette: PALETTE, ...parts }));
}

function shown(bytes: Buffer): string[] {
  const { data, width, height } = decodeBmp(bytes);
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_none, x) => {
      const color = data.readUIntBE((row * width + x) * 3, 3);
      return NAMES.get(color) ?? color.toString(16);
    }).join(""),
  );
}

it.each([
  ["1 bit", { width: 9, bits: 1, pixels: [0b01100000, 0x80, 0, 0, 0, 0, 0, 0] }, ["rrrrrrrrr", "rggrrrrrg"]],
  ["4 bits", { width: 3, bits: 4, pixels: [0x01, 0x2f, 0, 0, 0x32, 0x10, 0, 0] }, ["wbg", "rgb"]],
  ["8 bits", { width: 3, bits: 8, pixels: [0, 1, 2, 9, 3, 3, 0, 9] }, ["wwr", "rgb"]],
])("reads the colours of a palette by %s, from the bottom and from the top", (_, parts, rows) => {
  expect(rowsOf({ ...parts, height: 2 })).toEqual(rows);
  expect(rowsOf({ ...parts, height: -2 })).toEqual(rows.toReversed());
});

it("takes a palette for whole when no number of colours is declared, and ends it where the pixels begin", () => {
  const whole = Array.from({ length: 256 }, (_, n) => PALETTE[n % 4] as number);
  const parts = { width: 4, height: 1, bits: 8, colors: 0 };

  expect(rowsOf({ ...parts, palette: whole, pixels: [255, 2, 1, 0] })).toEqual(["wbgr"]);
  expect(rowsOf({ ...parts, pixels: [3, 2, 1, 0] })).toEqual(["wbgr"]);
  expect(() => rowsOf({ ...parts, pixels: [4, 2, 1, 0] })).toThrow("the palette has no colour 4");
  expect(() => rowsOf({ ...parts, colors: 3, pixels: [3, 2, 1, 0] })).toThrow("the palette has no colour 3");
});

it("reads runs of 8 bits: repeated and single pixels, skipped ones and the ends of rows", () => {
  const pixels = [
    // Three pixels one by one, filled up, and two of one colour.
    ...[0, 3, 1, 2, 3, 0, 2, 1, 0, 0],
    // One pixel, then one to the right and one row on, two pixels of which one is too many.
    ...[1, 3, 0, 2, 3, 1, 2, 2, 0, 1],
  ];

  expect(rowsOf({ width: 5, height: 3, bits: 8, compression: 1, pixels })).toEqual([
    "rrrrb",
    "wrrrr",
    "gbwgg",
  ]);
  expect(rowsOf({ width: 5, height: -3, bits: 8, compression: 1, pixels })).toEqual([
    "gbwgg",
    "wrrrr",
    "rrrrb",
  ]);
});

it("reads runs of 4 bits, of which two colours take turns", () => {
  const pixels = [
    // Five single pixels in three bytes, filled up to four, and the end of the row.
    ...[0, 5, 0x12, 0x31, 0x20, 0, 0, 0],
    // One to the right, three pixels that take turns, the end of the picture.
    ...[0, 2, 1, 0, 3, 0x12, 0, 1],
  ];

  expect(rowsOf({ width: 5, height: 2, bits: 4, compression: 2, pixels })).toEqual(["rgbgr", "gbwgb"]);
});

it.each([
  ["end before the picture does", [2, 1, 0, 0]],
  ["end within single pixels", [0, 4, 1]],
  ["lead out of the picture", [0, 2, 0, 3, 0, 1]],
  ["have a colour that the palette has not", [2, 4, 0, 1]],
])("refuses runs that %s", (_, pixels) => {
  expect(() => rowsOf({ width: 2, height: 2, bits: 8, compression: 1, pixels })).toThrow();
});

it("reads colours without a palette, by masks too", () => {
  const plain = { width: 1, height: 1, palette: [] };
  const masks = [0xf800, 0x07e0, 0x001f];

  expect(rowsOf({ ...plain, bits: 24, pixels: [0x56, 0x34, 0x12] })).toEqual(["123456"]);
  expect(rowsOf({ ...plain, bits: 32, pixels: [0x56, 0x34, 0x12, 0] })).toEqual(["123456"]);
  expect(rowsOf({ ...plain, bits: 16, pixels: [0x1f, 0x7c] })).toEqual(["ff00ff"]);
  expect(rowsOf({ ...plain, bits: 16, compression: 3, masks, pixels: [0xe0, 0xff] })).toEqual(["ffff00"]);
});

it("finds the pixels where the header says, and refuses what is not there", () => {
  const bytes = bitmap({ width: 4, height: 2, bits: 8, palette: PALETTE, pixels: [3, 2, 1, 0, 0, 1, 2, 3] });
  const moved = Buffer.concat([bytes.subarray(0, 70), Buffer.alloc(5), bytes.subarray(70)]);
  moved.writeUInt32LE(75, 10);
  const beyond = Buffer.from(bytes);
  beyond.writeUInt32LE(1_000, 10);

  expect(shown(moved)).toEqual(["rgbw", "wbgr"]);
  for (const broken of [beyond, bytes.subarray(0, bytes.length - 1), bytes.subarray(0, 50)])
    expect(() => decodeBmp(broken)).toThrow("the header cannot be read, or pixels are missing");
});

it.each([
  ["runs of 8 bits in pixels of 4", { bits: 4, compression: 1 }],
  ["masks with 24 bits", { bits: 24, compression: 3 }],
  ["a JPEG within", { bits: 24, compression: 4 }],
  ["2 bits", { bits: 2, compression: 0 }],
])("refuses what no BMP has: %s", (_, parts) => {
  expect(() => rowsOf({ width: 1, height: 1, pixels: Buffer.alloc(64), ...parts })).toThrow();
});
