import type { WrongCell } from "../goods/good-cell.rules.js";
import type { GoodVariants } from "../properties/good-variants.service.js";

const MOST = 200;
const FORM = 'must be a list such as [{"name": "Size", "options": [{"name": "L", "price_e2": 150}]}]';

/** Reads the properties with options of a good as an export writes them; an export has the options one level deeper. */
export function readVariants(value: unknown): { value: GoodVariants } | { wrong: WrongCell } {
  if (!Array.isArray(value) || value.length > MOST) return wrong("type");
  const variants: GoodVariants[number][] = [];
  for (const item of value as unknown[]) {
    if (!isObject(item)) return wrong("type");
    const { name, property } = item;
    const options = isObject(property) ? property["options"] : item["options"];
    if (!isName(name) || !Array.isArray(options) || options.length > MOST) return wrong("type");
    const read = (options as unknown[]).map((option) => {
      if (!isObject(option) || !isName(option["name"])) return null;
      const { name: text, price_e2: priceE2 = 0 } = option;
      return Number.isSafeInteger(priceE2) && (priceE2 as number) >= 0
        ? { name: text, priceE2: priceE2 as number }
        : null;
    });
    if (read.includes(null)) return wrong("type");
    // A property of a range or a text has no options, and is none of these.
    if (read.length > 0) variants.push({ name, options: read as GoodVariants[number]["options"][number][] });
  }
  const names = variants.map(({ name }) => name);
  return new Set(names).size === names.length ? { value: variants } : wrong("unique");
}

function wrong(rule: "type" | "unique"): { wrong: WrongCell } {
  return { wrong: { rule, message: rule === "type" ? FORM : "names a property twice" } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[^\p{Cc}]{1,64}$/u.test(value) && value.trim() !== "";
}
