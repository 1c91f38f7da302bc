import { sql } from "./sql.js";

/**
 * When the transaction has begun, by the clock of the database and as exact as columns are, as a table `moment` with the column `now`. A
 * change that reads the moment beside its columns, such as in `CASE`, reads it from here: a distributed database runs no `now()` there.
 */
export const THIS_MOMENT = sql`(SELECT date_trunc('milliseconds', now())) AS moment (now)`;
