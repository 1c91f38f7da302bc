import { normalizeText } from "../../core/inputs/text.js";
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
    const { property } = item;
    const name = nameOf(item);
    const options = isObject(property) ? property["options"] : item["options"];
    if (name === null || !Array.isArray(options) || options.length > MOST) return wrong("type");
    const read = (options as unknown[]).map((option) => {
      const text = isObject(option) ? nameOf(option) : null;
      // An amount in another form would be lost.
      if (text === null || "human_price_e2" in (option as object)) return null;
      const { price_e2: priceE2 = 0 } = option as Record<string, unknown>;
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

/** The name as it is stored; `null` when it is none. */
function nameOf({ name }: Record<string, unknown>): string | null {
  if (typeof name !== "string") return null;
  const text = normalizeText(name, "line");
  return /^[^\p{Cc}]{1,64}$/u.test(text) ? text : null;
}
