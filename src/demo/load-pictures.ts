import sharp from "sharp";
import type { Database } from "../engine/connections/client.js";
import type { Storage } from "../engine/storage/storage.js";
import { nameOf, newKey } from "../engine/storage/stored-name.js";
import { insertRows } from "./insert-rows.js";

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
    const pictures = goods.map(({ id }, index) => ({
      goodId: id,
      key: newKey(TYPE),
      bytes: drawn[index % drawn.length] as Buffer,
    }));
    await insertRows(
      writer,
      "StoredFile",
      pictures.map(({ key, bytes }) => ({
        companyId,
        key,
        contentType: TYPE,
        bytes: 2 * bytes.length,
        width: SIDE,
        height: SIDE,
      })),
    );
    await Promise.all(
      pictures.flatMap(({ key, bytes }) =>
        (["large", "small"] as const).map((size) => storage.put(nameOf(key, size), bytes, TYPE)),
      ),
    );
    await writer.$executeRaw`
      UPDATE goods SET picture_urls = ARRAY[p.key]
        FROM unnest(${pictures.map(({ goodId }) => goodId)}::int[], ${pictures.map(({ key }) => key)}::text[]) AS p (good_id, key)
       WHERE goods.company_id = ${companyId} AND goods.id = p.good_id`;
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
