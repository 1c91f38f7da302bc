import { buildSchema, OverlappingFieldsCanBeMergedRule, parse, specifiedRules, validate } from "graphql";
import { canMergeFields } from "../../src/engine/execution/mergeable-fields.js";
import { definitionsOf } from "../../src/engine/limits/document-bounds.js";
import { randomly } from "../support/randomly.js";

const SCHEMA = buildSchema(`
  interface Named { name: String title: String same(a: Int, of: In): Named list: [Named] leaf: Int }
  input In { a: Int b: [Int] }
  type Good implements Named { name: String title: String same(a: Int, of: In): Named list: [Named] leaf: Int price: Int! only: [Int] other: Good goods: [Good!]! }
  type Shop implements Named { name: String title: String same(a: Int, of: In): Named list: [Named] leaf: Int price: Int only: Int other: Shop goods: [Good] }
  type City { price: Float only: [String] other: [Shop] leaf: Int }
  union Any = Good | Shop | City
  type Query { any: Any named: Named good: Good shop: Shop city: City }
`);
const OTHER_RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Query: ["any", "named", "good", "shop", "city", "__typename"],
  Any: ["__typename"],
  Named: ["name", "title", "same", "list", "leaf", "__typename"],
  Good: ["name", "title", "same", "list", "leaf", "price", "only", "other", "goods"],
  Shop: ["name", "title", "same", "list", "leaf", "price", "only", "other", "goods"],
  City: ["price", "only", "other", "leaf"],
};
const TYPES: Readonly<Record<string, string>> = {
  "Query.any": "Any",
  "Query.named": "Named",
  "Query.good": "Good",
  "Query.shop": "Shop",
  "Query.city": "City",
  "Named.same": "Named",
  "Named.list": "Named",
  "Good.same": "Named",
  "Good.list": "Named",
  "Shop.same": "Named",
  "Shop.list": "Named",
  "Good.other": "Good",
  "Good.goods": "Good",
  "Shop.other": "Shop",
  "Shop.goods": "Good",
  "City.other": "Shop",
};
const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  Query: ["Query"],
  Any: ["Named", "Good", "Shop", "City", "Any"],
  Named: ["Named", "Good", "Shop", "Any"],
  Good: ["Good", "Named", "Any"],
  Shop: ["Shop", "Named", "Any"],
  City: ["City", "Any"],
};
const ARGUMENTS = [
  "",
  "",
  "(a: 1)",
  "(a: 2)",
  "(of: {a: 1, b: [1]})",
  "(of: {b: [1], a: 1})",
  "(a: 1, of: {})",
  "(of: {}, a: 1)",
];

/** Writes documents of which many repeat names in one place. */
class Writer {
  private fragments: string[] = [];

  constructor(private readonly next: () => number) {}

  document(): string {
    this.fragments = [];
    const operation = this.set("Query", 3);
    return [operation, ...this.fragments].join("\n");
  }

  /** A document whose fields all have the same name, in objects of which some are of several types. */
  crossing(): string {
    return `{ any ${this.crossed(2)} }`;
  }

  private crossed(levels: number): string {
    const parts = Array.from({ length: 2 + Math.floor(this.next() * 2) }, () => {
      const type = this.oneOf(["Named", "Good", "Good", "Shop", "Shop"]);
      const composite = type === "Named" || this.next() < 0.5 ? "same" : "other";
      const isLeaf = levels === 0 || this.next() < 0.2;
      const field = isLeaf ? this.oneOf(["name", "title", "title", "title", "title", "leaf"]) : composite;
      return `... on ${type} { x: ${field} ${isLeaf ? "" : this.crossed(levels - 1)} }`;
    });
    return `{ ${parts.join(" ")} }`;
  }

  private oneOf<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  private set(type: string, levels: number): string {
    const count = 1 + Math.floor(this.next() * 4);
    return `{ ${Array.from({ length: count }, () => this.selection(type, levels)).join(" ")} }`;
  }

  private selection(type: string, levels: number): string {
    const kind = this.next();
    if (kind < 0.5 && levels > 0) {
      const condition = this.oneOf(CONDITIONS[type] ?? []);
      const set = this.set(condition, levels - 1);
      if (kind < 0.35) return `... on ${condition} ${set}`;
      const name = `f${this.fragments.length}`;
      this.fragments.push(`fragment ${name} on ${condition} ${set}`);
      return `...${name}${this.next() < 0.3 ? ` ...${name}` : ""}`;
    }
    const fields = (FIELDS[type] ?? []).filter(
      (name) => levels > 0 || TYPES[`${type}.${name}`] === undefined,
    );
    const name = fields.length === 0 ? "__typename" : this.oneOf(fields);
    const alias = this.next() < 0.3 ? `${this.oneOf(["x", "leaf", "name"])}: ` : "";
    const below = TYPES[`${type}.${name}`];
    const given = name === "same" ? this.oneOf(ARGUMENTS) : "";
    return `${alias}${name}${given}${below === undefined ? "" : ` ${this.set(below, levels - 1)}`}`;
  }
}

/** What is seldom written by chance: answers of two shapes below types that have no object in common. */
const APART = ["title", "leaf", "__typename"].map(
  (field) => `{ any { ... on Good { x: same { x: title } } ... on Shop { x: same { x: ${field} } } } }`,
);

describe("fields with one name in one place of the answer", () => {
  it("can be merged or not, as graphql-js says", () => {
    const writer = new Writer(randomly(26));
    const wrong: string[] = [];
    const counts = { merged: 0, refused: 0 };
    for (let made = 0; made < 4_000; made += 1) {
      const text = APART[made] ?? (made % 2 === 0 ? writer.document() : writer.crossing());
      const document = parse(text);
      if (validate(SCHEMA, document, OTHER_RULES).length > 0) continue;

      const isValid = validate(SCHEMA, document, [OverlappingFieldsCanBeMergedRule]).length === 0;

      if (canMergeFields(SCHEMA, definitionsOf(document)) !== isValid) wrong.push(text);
      counts[isValid ? "merged" : "refused"] += 1;
    }
    expect(wrong).toEqual([]);
    // Else it would prove nothing.
    expect(counts.merged).toBeGreaterThan(300);
    expect(counts.refused).toBeGreaterThan(300);
  });
});
