import type pg from "pg";
import { OperatorError } from "../../core/errors/operator-error.js";

/** The limits without which a statement or an open transaction would hold its locks for as long as it likes. */
const NEEDED = ["statement_timeout", "idle_in_transaction_session_timeout"];

/** The form in which values are decoded; that of moments is set apart from these, see `hosts.ts`. */
export const FORM_OF_VALUES = { bytea_output: "hex", extra_float_digits: "1", intervalstyle: "postgres" };

/** What a session has of the form of values, those of moments included, and what it has to have. */
const FORM = `
  SELECT s.name, f.value FROM pg_settings AS s
    JOIN (VALUES ${Object.entries(FORM_OF_VALUES)
      .map(([name, value]) => `('${name}', '${value}')`)
      .join()}) AS f(name, value) ON lower(s.name) = f.name
   WHERE CASE f.name WHEN 'extra_float_digits' THEN s.setting::int < 1 ELSE s.setting <> f.value END
   UNION ALL
  SELECT name, 'UTC' FROM pg_settings WHERE name = 'TimeZone' AND setting NOT IN ('UTC', 'Etc/UTC', 'GMT')
   UNION ALL
  SELECT name, 'ISO' FROM pg_settings WHERE name = 'DateStyle' AND setting NOT LIKE 'ISO,%'
   ORDER BY name`;

/** Says that the sessions of the service are not as they have to be. */
export class SessionError extends OperatorError {
  override readonly name = "SessionError";
}

/**
 * Returns which limits of time do not hold in the sessions of a pool: a pooler may drop those that the service asks for, or
 * hand out sessions that others opened.
 */
export async function missingLimits(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = '0' ORDER BY name",
    [NEEDED],
  );
  return rows.map(({ name }) => name);
}

/** What an operator has to do about limits that are missing. */
export function adviceOn(limits: readonly string[]): string {
  return (
    `The sessions with the database have no ${limits.join(" and no ")}, which a pooler has dropped: nothing would end a ` +
    "statement that takes too long. Give the role of DATABASE_URL its limits, such as ALTER ROLE … SET statement_timeout = '10s'."
  );
}

/** @throws SessionError where the sessions of a pool write values in a form that they are not decoded from. */
export async function assertForm(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; value: string }>(FORM);
  if (rows.length === 0) return;
  const settings = rows.map(({ name, value }) => `SET ${name} = '${value}'`);
  throw new SessionError(
    "The sessions with the database write values in another form than the service reads, since the role, the database or the URL " +
      `sets it and a pooler drops what the service asks for: ${settings.map((one) => `ALTER ROLE … ${one}`).join("; ")}.`,
  );
}
