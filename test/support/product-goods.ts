import type pg from "pg";

const SYLLABLES =
  "ba be bi bo bu ca ce ci co da de di do fa fe ga go ha hi ja ka ki la le li lo ma mi mo na no pa pe po ra ri ro sa si ta ti to va vi za zo";
const THINGS =
  "Tea Coffee Milk Chocolate Cheese Yoghurt Butter Bread Cookies Shirt Trousers Jacket Shoes Socks Lamp Table Chair Sofa Pillow Blanket " +
  "Shampoo Soap Toothpaste Cream Lotion Perfume Phone Charger Cable Headphones Keyboard Mouse Monitor Laptop Tablet Camera Battery Hammer " +
  "Screwdriver Drill Paint Brush Nails Screws Rope Tape Glue Juice Water Lemonade Beer Wine Whisky Müsli Käse Würstchen Schinken Brötchen " +
  "Jalapeño Piñata Crème Brûlée Apfelstrudel Gemüse Nüsse Öl Essig";
const KINDS =
  "Organic Green Black White Red Blue Large Small Classic Premium Dark Sweet Salty Spicy Wireless Portable Folding Wooden Steel Cotton " +
  "Leather Waterproof Vegan Gluten-free Sugar-free Family Mini Maxi Pro Basic Deluxe Traditional Homemade Smoked Dried Frozen Instant";

/** A word of every fifth good. */
export const COMMON_WORD = "Fresh";

/** Goods as a shop might have them, the same for the same seed. */
export class ProductGoods {
  private readonly brands: readonly string[];
  private readonly things = THINGS.split(" ");
  private readonly kinds = KINDS.split(" ");

  constructor(private seed: number) {
    const syllables = SYLLABLES.split(" ");
    this.brands = Array.from({ length: 600 }, () => {
      const name = Array.from({ length: 2 + this.below(2) }, () => this.one(syllables)).join("");
      return name.charAt(0).toUpperCase() + name.slice(1);
    });
  }

  /** Inserts goods, and lets the planner know at the end. */
  async insert(client: pg.Client, companyId: number, count: number): Promise<void> {
    await this.insertRows(client, companyId, count);
    await client.query("VACUUM ANALYZE goods");
    await client.query("ANALYZE good_words");
  }

  async insertRows(client: pg.Client, companyId: number, count: number, batch = 5_000): Promise<void> {
    for (let first = 0; first < count; first += batch) {
      const goods = Array.from({ length: Math.min(batch, count - first) }, (_, n) => this.good(first + n));
      await client.query(
        `INSERT INTO goods (company_id, name, short_details, details, price_e2, type, sku, keywords, barcodes, updated_at)
         SELECT $1, g.name, g.about, '', 100, 0, g.sku, string_to_array(g.keywords, ','), ARRAY[g.barcode], now()
           FROM jsonb_to_recordset($2::jsonb) AS g (name text, about text, sku text, keywords text, barcode text)`,
        [companyId, JSON.stringify(goods)],
      );
    }
  }

  /** Returns 200 searches of the kinds that shops see. */
  queries(): string[] {
    const mistyped = (word: string) => word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4);
    const kinds: (() => string)[] = [
      () => this.one(this.things),
      () => `${this.one(this.kinds)} ${this.one(this.things)}`,
      () => this.one(this.things).slice(0, 2 + this.below(2)),
      () => mistyped(this.one(this.things.filter((word) => word.length > 5))),
      () => `${COMMON_WORD} ${mistyped(this.one(this.kinds))}`,
      () => this.one(["muesli", "musli", "kase", "CREME brulee", "wurstchen", "jalapeno", "ol", "gemuse"]),
      () => this.good(this.below(5_000)).sku,
      () => this.good(this.below(5_000)).barcode,
      () => `${this.one(["quux", "zzyzx", "xylo"])}${this.below(100)}`,
      () => COMMON_WORD,
      () => this.one([..."abcfmst"]),
      () => this.one(this.brands),
    ];
    return Array.from({ length: 200 }, (_, n) => (kinds[n % kinds.length] as () => string)());
  }

  private good(n: number) {
    const [brand, thing] = [this.one(this.brands), this.one(this.things)];
    const kind = n % 5 === 0 ? COMMON_WORD : this.one(this.kinds);
    const size = `${this.one(["250", "330", "500", "750", "1000"])} ${this.one(["g", "ml", "pcs"])}`;
    return {
      name: `${brand} ${kind} ${thing} ${size}`,
      about: `${kind} ${thing} by ${brand} for every day`,
      sku: `${brand.slice(0, 2).toUpperCase()}-${String(n).padStart(6, "0")}`,
      keywords: `${thing},${this.one(this.things)}`,
      barcode: `40${String((n * 7919) % 10_000_000).padStart(8, "0")}${String(n % 1_000).padStart(3, "0")}`,
    };
  }

  private one<T>(among: readonly T[]): T {
    return among[this.below(among.length)] as T;
  }

  /** A whole number from 0 to below the bound (a linear congruential generator). */
  private below(bound: number): number {
    this.seed = (Math.imul(this.seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor(((this.seed >>> 8) / 2 ** 24) * bound);
  }
}
