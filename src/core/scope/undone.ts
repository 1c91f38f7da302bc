import type { Db } from "./company-scope.js";

/** Does something in a savepoint of a transaction, undoes it, and returns what it came to. */
export async function undone<T>(db: Db, work: (inside: Db) => Promise<T>): Promise<T> {
  const undoing = new Error("what was tried out is undone");
  let result: { readonly value: T } | null = null;
  try {
    await db.$transaction(async (inside) => {
      result = { value: await work(inside) };
      throw undoing;
    });
  } catch (error) {
    if (error !== undoing || result === null) throw error;
  }
  return (result as unknown as { readonly value: T }).value;
}
