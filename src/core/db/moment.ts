import { sql } from "./sql.js";

/**
 * When the transaction has begun, by the clock of the database and as exact as columns are, as a table `moment` with the column `now`. A
 * change that reads the moment beside its columns, such as in `CASE`, reads it from here: a distributed database runs no `now()` there.
 */
export const THIS_MOMENT = sql`(SELECT date_trunc('milliseconds', now())) AS moment (now)`;

/**
 * The same of now, for a transaction that holds a lock: a closing of the books waits for all that is dated before the moment up to which
 * it closes. When such a transaction began says nothing of that.
 */
export const MOMENT_BEHIND_LOCKS = sql`(SELECT date_trunc('milliseconds', clock_timestamp())) AS moment (now)`;
