import sharp from "sharp";
import type { Database } from "../engine/data/client.js";
import type { Storage } from "../engine/storage/storage.js";
import { nameOf, newKey } from "../engine/storage/stored-name.js";

/** Of each company, so many goods get a picture: the newest, which lists show first. */
const PICTURED = 6;
const SIDE = 240;
const COLOURS: readonly (readonly [number, number, number])[] = [
  [214, 69, 65],
  [244, 179, 80],
  [38, 166, 91],
  [52, 152, 219],
  [155, 89, 182],
  [108, 122, 137],
];
const TYPE = "image/png";

/**
 * Gives goods of the demo companies pictures, each a disc of one colour. Files belong to no transaction, so this comes after
 * the rows; when it ends half-way, the other goods stay without.
 */
export async function loadDemoPictures({ writer }: Database, storage: Storage): Promise<void> {
  const drawn = await Promise.all(COLOURS.map(draw));
  for (const { id: companyId } of await writer.company.findMany({ select: { id: true } })) {
    const goods = await writer.good.findMany({
      where: { companyId, deletedAt: null },
      orderBy: { id: "desc" },
      take: PICTURED,
      select: { id: true },
    });
    for (const [index, { id }] of goods.entries()) {
      const bytes = drawn[index % drawn.length] as Buffer;
      const key = newKey(TYPE);
      const size = { bytes: 2 * bytes.length, width: SIDE, height: SIDE };
      await writer.storedFile.create({ data: { companyId, key, contentType: TYPE, ...size } });
      await storage.put(nameOf(key, "large"), bytes, TYPE);
      await storage.put(nameOf(key, "small"), bytes, TYPE);
      await writer.$executeRaw`UPDATE goods SET picture_urls = ARRAY[${key}] WHERE company_id = ${companyId} AND id = ${id}`;
    }
  }
}

function draw(colour: readonly [number, number, number]): Promise<Buffer> {
  const pixels = Buffer.alloc(SIDE * SIDE * 3, 0xf4);
  const middle = (SIDE - 1) / 2;
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1)
      if (Math.hypot(x - middle, y - middle) < SIDE / 3) pixels.set(colour, (y * SIDE + x) * 3);
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
}
