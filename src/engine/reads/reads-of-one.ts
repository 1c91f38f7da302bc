import { isInt } from "../../core/integers.js";
import { compileRead, type CompiledRows, type ReadQuery } from "./compile-read.js";
import type { Table } from "./model-tables.js";

/** A compiled read of one row by its key; runs of it differ in their values alone. */
interface ReadOfOne {
  readonly table: Table;
  /** The fields of its conditions in their order, and which of them are asked to be null. */
  readonly fields: readonly string[];
  readonly areNull: readonly boolean[];
  readonly compiled: CompiledRows;
}

type Conditions = Readonly<Record<string, unknown>>;

const CLAUSES: ReadonlySet<string> = new Set(["where", "select", "take", "plan"]);

/** By their selections: those of documents never change. */
const known = new WeakMap<object, ReadOfOne>();

/**
 * Compiles a read as `compileRead` does. One of a single row by its key is compiled once for each selection: a document reads
 * it at each run, and to write its text and look that up takes longer than all else here.
 */
export function compileKnownRead(table: Table, query: ReadQuery): CompiledRows | null {
  const { select, where, take } = query;
  if (take !== 1 || typeof select !== "object" || select === null || !isPlain(query))
    return compileRead(table, query);
  const before = known.get(select);
  if (before?.table === table) {
    const values = valuesOf(before, where as Conditions);
    const { text, keys, isByKeys } = before.compiled;
    if (values !== null) return { text, values, isByKeys, keys };
  }
  const compiled = compileRead(table, query);
  if (compiled?.keys != null && Object.isFrozen(select)) {
    const conditions = Object.entries(where as object);
    const fields = conditions.map(([field]) => field);
    known.set(select, { table, fields, areNull: conditions.map(([, value]) => value === null), compiled });
  }
  return compiled;
}

function isPlain(query: ReadQuery): boolean {
  for (const clause in query) if (!CLAUSES.has(clause)) return false;
  return true;
}

/** The values of conditions that are the same but for them, in their order; `null` for other conditions. */
function valuesOf({ fields, areNull }: ReadOfOne, where: Conditions): unknown[] | null {
  const values: unknown[] = [];
  let place = 0;
  for (const field in where) {
    const value = where[field];
    if (field !== fields[place] || (value === null) !== areNull[place]) return null;
    if (value !== null && !isInt(value)) return null;
    if (value !== null) values.push(value);
    place += 1;
  }
  return place === fields.length ? values : null;
}
