import { plainHeader } from "../goods/good-headers.js";
import type { ImportOptions } from "./import-options.rules.js";

/** Finds categories by what sheets call them. */
export class CategoryNames {
  private readonly byId: ReadonlySet<number>;
  private readonly byName = new Map<string, number>();
  private readonly nameOf: ReadonlyMap<number, string>;
  private readonly mapped: ReadonlyMap<string, string>;

  constructor(
    categories: readonly { readonly id: number; readonly name: string }[],
    mapping: ImportOptions["categories"],
  ) {
    this.byId = new Set(categories.map(({ id }) => id));
    this.nameOf = new Map(categories.map(({ id, name }) => [id, plainHeader(name)]));
    for (const { id, name } of categories)
      if (!this.byName.has(plainHeader(name))) this.byName.set(plainHeader(name), id);
    this.mapped = new Map(mapping.map(({ value, category }) => [plainHeader(value), category]));
  }

  /**
   * The categories that values stand for, and the values that stand for none. Several categories may have one name: a name
   * of a category that the values have already stands for that one.
   */
  find(values: readonly string[], names: readonly string[] = []): { ids: number[]; unknown: string[] } {
    const ids = new Set<number>();
    const unknown: string[] = [];
    for (const value of values) {
      const id = this.idOf(this.mapped.get(plainHeader(value)) ?? value);
      if (id === null) unknown.push(value.replace(/\p{Cc}/gu, " ").toWellFormed());
      else ids.add(id);
    }
    const there = new Set([...ids].map((id) => this.nameOf.get(id)));
    const further = names.filter((name) => !there.has(plainHeader(name)));
    const named = further.length === 0 ? { ids: [], unknown: [] } : this.find(further);
    return { ids: [...new Set([...ids, ...named.ids])], unknown: [...unknown, ...named.unknown] };
  }

  /** Finds a category by its id or name; of a path such as `Clothes > Shirts` the last part counts. */
  idOf(text: string): number | null {
    const id = /^[1-9]\d{0,9}$/u.test(text) ? Number(text) : 0;
    if (this.byId.has(id)) return id;
    const last = text.split(/[>/]/u).at(-1) ?? "";
    return this.byName.get(plainHeader(text)) ?? this.byName.get(plainHeader(last)) ?? null;
  }
}
