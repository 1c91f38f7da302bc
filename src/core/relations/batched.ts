import DataLoader from "dataloader";
import type { CompanyScope } from "../scope/company-scope.js";

/**
 * Makes a function that fields call for one row each: what is asked for at once is read together. Nothing is kept, since
 * a change within the same request may change it.
 *
 * @param read gives the values of these ids; an id that it leaves out has none.
 */
export function batched<Value>(
  read: (scope: CompanyScope, ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): (scope: CompanyScope, id: number) => Promise<Value | null> {
  const loaders = new WeakMap<CompanyScope, DataLoader<number, Value | null>>();
  return (scope, id) => {
    let loader = loaders.get(scope);
    if (loader === undefined) {
      loader = new DataLoader<number, Value | null>(
        async (ids) => {
          const values = await read(scope, [...new Set(ids)]);
          return ids.map((one) => values.get(one) ?? null);
        },
        { cache: false },
      );
      loaders.set(scope, loader);
    }
    return loader.load(id);
  };
}
