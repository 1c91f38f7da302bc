import type pg from "pg";

/** The code of an error of PostgreSQL, and the constraint that was violated. */
export interface Violation {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
}

/**
 * Returns what refuses some work. A worker of a distributed database names a constraint in its message alone, with the number of the part
 * of the table behind it.
 *
 * @throws when nothing refuses it
 */
export async function violationOf(work: Promise<unknown>): Promise<Violation> {
  const { code, constraint, message } = await work.then(
    () => {
      throw new Error("Nothing was violated");
    },
    (error: pg.DatabaseError) => error,
  );
  const named = / constraint "(?<name>\w+?)(?:_\d{6,})?"$/u.exec(message)?.groups?.["name"];
  return { code, constraint: constraint ?? named };
}
