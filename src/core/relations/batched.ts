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
  return together<number, Value | null>(async (scope, ids) => {
    const values = await read(scope, [...new Set(ids)]);
    return ids.map((one) => values.get(one) ?? null);
  });
}

/**
 * Makes a function that several operations of a request call at once, each with its question, whose answers are read together. Nothing
 * is kept.
 *
 * @param read gives the answer to each question in its place, or its refusal.
 * @param options.most how many questions are read together at most.
 */
export function together<Question, Answer>(
  read: (scope: CompanyScope, questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>,
  { most = Infinity }: { readonly most?: number } = {},
): (scope: CompanyScope, question: Question) => Promise<Answer> {
  const loaders = new WeakMap<CompanyScope, DataLoader<Question, Answer>>();
  return (scope, question) => {
    let loader = loaders.get(scope);
    if (loader === undefined) {
      loader = new DataLoader<Question, Answer>((questions) => read(scope, questions), {
        cache: false,
        maxBatchSize: most,
      });
      loaders.set(scope, loader);
    }
    return loader.load(question);
  };
}
