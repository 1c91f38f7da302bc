import { plainHeader } from "../goods/good-headers.js";
import type { ImportOptions } from "./import-options.rules.js";

/** Finds categories by what sheets call them. */
export class CategoryNames {
  private readonly byId: ReadonlySet<number>;
  private readonly byName = new Map<string, number>();
  private readonly mapped: ReadonlyMap<string, string>;

  constructor(
    categories: readonly { readonly id: number; readonly name: string }[],
    mapping: ImportOptions["categories"],
  ) {
    this.byId = new Set(categories.map(({ id }) => id));
    for (const { id, name } of categories)
      if (!this.byName.has(plainHeader(name))) this.byName.set(plainHeader(name), id);
    this.mapped = new Map(mapping.map(({ value, category }) => [plainHeader(value), category]));
  }

  /** The categories that values stand for, and the values that stand for none. */
  find(values: readonly string[]): { ids: number[]; unknown: string[] } {
    const ids = new Set<number>();
    const unknown: string[] = [];
    for (const value of values) {
      const id = this.idOf(this.mapped.get(plainHeader(value)) ?? value);
      if (id === null) unknown.push(value.replace(/\p{Cc}/gu, " ").toWellFormed());
      else ids.add(id);
    }
    return { ids: [...ids], unknown };
  }

  /** Finds a category by its id or name; of a path such as `Clothes > Shirts` the last part counts. */
  idOf(text: string): number | null {
    const id = /^[1-9]\d{0,9}$/u.test(text) ? Number(text) : 0;
    if (this.byId.has(id)) return id;
    const last = text.split(/[>/]/u).at(-1) ?? "";
    return this.byName.get(plainHeader(text)) ?? this.byName.get(plainHeader(last)) ?? null;
  }
}
