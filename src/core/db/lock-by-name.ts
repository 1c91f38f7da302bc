import type { Db } from "./db.js";

/** Lets one transaction at a time do what a name stands for, until it ends; the name tells its company. */
export async function lockByName({ db }: { readonly db: Db }, name: string): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
