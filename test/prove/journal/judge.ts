import type { Pool } from "pg";
import { wordsOf, rowOf, type Got, type Reader } from "./readers.js";
import { UNDONE, type Written } from "./writers.js";

/** An entry of the journal as it is stored. */
export interface Entry {
  readonly id: string;
  readonly type: string;
  readonly action: string;
  readonly entityId: string;
  readonly fields: readonly string[];
  readonly at: Date;
  readonly requestId: string | null;
}

const MOST_SHOWN = 5;

/** Reads the journal behind an entry. */
export async function entriesBehind(pool: Pool, companyId: number, id: string): Promise<Entry[]> {
  const { rows } = await pool.query<Entry>(
    `SELECT id::text, type, action, entity_id::text AS "entityId", fields, at, request_id AS "requestId"
       FROM journal_entries e WHERE company_id = $1 AND id > $2 ORDER BY e.transaction, e.id`,
    [companyId, id],
  );
  return rows;
}

/** Says how what a reader has got differs from the journal; nothing when each change came as it should. */
export function faultsOf({ name, got, isAtLeastOnce }: Reader, entries: readonly Entry[]): string[] {
  const expected = entries.map(({ id, type, action, entityId, fields }): Got => ({
    id,
    row: rowOf(type, entityId),
    what: wordsOf(action, fields),
  }));
  if (!isAtLeastOnce) return differences(name, idsOf(got.all), idsOf(expected));
  const first = [...new Map([...got.all].reverse().map((one) => [one.id, one])).values()].reverse();
  const [has, should] = [byRow(first), byRow(expected)];
  return [...new Set([...has.keys(), ...should.keys()])].flatMap((row) =>
    differences(`${name}, ${row}`, has.get(row) ?? [], should.get(row) ?? []),
  );
}

const idsOf = (got: readonly Got[]): string[] => got.map(({ id, row, what }) => `${id} ${row} ${what}`);

function byRow(got: readonly Got[]): Map<string, string[]> {
  const rows = new Map<string, string[]>();
  for (const { row, what } of got) {
    const changes = rows.get(row);
    if (changes === undefined) rows.set(row, [what]);
    else changes.push(what);
  }
  return rows;
}

function differences(name: string, has: readonly string[], should: readonly string[]): string[] {
  const place = Array.from({ length: Math.max(has.length, should.length) }).findIndex(
    (_, index) => has[index] !== should[index],
  );
  if (place < 0) return [];
  return [
    `${name} has got ${has.length} of ${should.length}; at ${place}: ${has[place] ?? "nothing"} in place of ${should[place] ?? "nothing"}`,
  ];
}

/** Says how the journal differs from what was written: by versions of rows, and by what was acknowledged. */
export async function faultsOfJournal(
  pool: Pool,
  companyId: number,
  entries: readonly Entry[],
  { acknowledged }: Written,
): Promise<string[]> {
  const faults: string[] = [];
  const ofRow = new Map<string, Entry[]>();
  const ofRequest = new Map<string, number>();
  for (const entry of entries) {
    const row = rowOf(entry.type, entry.entityId);
    const changes = ofRow.get(row);
    if (changes === undefined) ofRow.set(row, [entry]);
    else changes.push(entry);
    const request = `${entry.requestId} ${entry.type}`;
    if (entry.requestId !== null && !isOfPart(entry))
      ofRequest.set(request, (ofRequest.get(request) ?? 0) + 1);
  }
  const { rows: cities } = await pool.query<{ id: number; version: number }>(
    "SELECT id, version FROM cities WHERE company_id = $1",
    [companyId],
  );
  const versions = new Map(cities.map(({ id, version }) => [rowOf("City", id), version]));
  for (const [row, version] of versions) {
    const count = ofRow.get(row)?.length ?? 0;
    // Those that were there at first have no entry of their creation behind the place.
    if (count !== version && count !== version - 1)
      faults.push(`${row}: ${count} entries, version ${version}`);
  }
  for (const [row, changes] of ofRow) {
    if (row.startsWith("city ") && !versions.has(row)) faults.push(`${row} is told and is not there`);
    const isOrdered = changes.every(
      ({ id }, place) => place === 0 || Number(id) > Number(changes[place - 1]?.id),
    );
    if (!isOrdered) faults.push(`${row}: its changes are told in another order than they were made`);
  }
  const { rows: undone } = await pool.query<{ id: number }>(
    "SELECT id FROM cities WHERE company_id = $1 AND starts_with(name, $2)",
    [companyId, UNDONE],
  );
  for (const { id } of undone) faults.push(`city ${id} was undone and is there`);
  for (const [request, { type, rows }] of acknowledged) {
    const count = ofRequest.get(`${request} ${type}`) ?? 0;
    if (count !== rows) faults.push(`${request}: ${count} changes are told of ${rows}`);
  }
  return faults;
}

const isOfPart = ({ type, fields }: Entry): boolean => type === "Good" && fields.join() === "branch_goods";

/** The first of many faults, and how many there are. */
export function shown(faults: readonly string[]): string[] {
  return faults.length <= MOST_SHOWN
    ? [...faults]
    : [...faults.slice(0, MOST_SHOWN), `and ${faults.length - MOST_SHOWN} more`];
}
