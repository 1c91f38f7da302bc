import { LRUCache } from "lru-cache";
import { parserOf } from "./column-values.js";

export type ReadRow = Readonly<Record<string, unknown>>;

/** The values of a row as the texts that PostgreSQL sends. */
export type Cells = readonly (string | null)[];

/** A column of a result as the server describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The columns of a result, and the function that turns its cells into rows. */
export interface RowShape {
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly toRow: (cells: Cells) => ReadRow;
}

/** The shapes that are remembered take at most this much memory, by the estimates below. */
const MAX_BYTES = 6_000_000;
/** What a shape takes was measured over those of many selections: the code takes most of it. */
const BYTES_PER_SHAPE = 1_500;
const BYTES_PER_COLUMN = 700;
const shapes = new LRUCache<string, RowShape>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ columns }) => BYTES_PER_SHAPE + BYTES_PER_COLUMN * columns.length,
});

/**
 * Returns the shape of rows with these fields. Statements whose rows look alike share one shape.
 *
 * @throws Error for a type that no column of the schema has had so far.
 */
export function rowShape(fields: readonly Field[]): RowShape {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  const key = JSON.stringify(columns);
  let shape = shapes.get(key);
  if (shape === undefined) shapes.set(key, (shape = { columns, toRow: rowMaker(columns) }));
  return shape;
}

export function hasShape({ columns }: RowShape, fields: readonly Field[]): boolean {
  return (
    columns.length === fields.length &&
    fields.every(({ name, dataTypeID }, index) => {
      const column = columns[index];
      return column?.type === dataTypeID && column.name === name;
    })
  );
}

/** Generates the function that turns cells into a row: rows that are made key by key take twice as long. */
function rowMaker(columns: RowShape["columns"]): RowShape["toRow"] {
  const parsers = columns.map(({ type }) => parserOf(type));
  const entries = columns.map(
    ({ name }, index) =>
      `${JSON.stringify(name)}: cells[${index}] === null ? null : parsers[${index}](cells[${index}])`,
  );
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- from names of the schema alone
  const make = new Function("parsers", `return (cells) => ({ ${entries.join(", ")} })`) as (
    parsers: readonly ((text: string) => unknown)[],
  ) => RowShape["toRow"];
  return make(parsers);
}
