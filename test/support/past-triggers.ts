import type pg from "pg";

/**
 * Changes what is stored as only a superuser can, past every trigger and check of foreign keys. Workers of a distributed database are told
 * the whole text that has a `SET LOCAL`, so it comes by itself.
 */
export async function changePastTriggers(superuser: pg.Client, statement: string): Promise<void> {
  await superuser.query("BEGIN");
  try {
    await superuser.query("SET LOCAL session_replication_role = replica");
    await superuser.query(statement);
    await superuser.query("COMMIT");
  } catch (error) {
    await superuser.query("ROLLBACK");
    throw error;
  }
}
