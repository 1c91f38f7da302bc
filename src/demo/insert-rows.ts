import { MODEL_FACTS } from "../generated/models.js";
import { columnName } from "../engine/reads/model-tables.js";
import { Prisma } from "../generated/prisma/client.js";

type Model = Prisma.ModelName;
type Scalars<M extends Model> = Prisma.TypeMap["model"][M]["payload"]["scalars"];

/** A row of a model, as `createMany` of Prisma's client takes it. */
export type NewRow<M extends Model> = Exclude<
  Prisma.TypeMap["model"][M]["operations"]["createMany"]["args"]["data"],
  readonly unknown[]
>;

/**
 * Inserts rows by one statement with one parameter, whatever their number: a client that writes a parameter for each value
 * takes most of a second for the goods alone. Where one row has a column that another one lacks, it is null there.
 *
 * @returns of each row, in their order, the fields that are asked for.
 */
export async function insertRows<M extends Model, F extends keyof Scalars<M> & string = never>(
  db: Prisma.TransactionClient,
  model: M,
  rows: readonly NewRow<M>[],
  fields: readonly F[] = [],
): Promise<Pick<Scalars<M>, F>[]> {
  if (rows.length === 0) return [];
  const used = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = [...used].map((field) => [field, columnName(model, field)] as const);
  const values = rows.map((row) =>
    Object.fromEntries(columns.map(([field, column]) => [column, row[field as keyof typeof row]])),
  );
  const table = identifier(MODEL_FACTS[model].table);
  const list = join(columns.map(([, column]) => identifier(column)));
  const insert = Prisma.sql`
    INSERT INTO ${table} (${list})
    SELECT ${list} FROM jsonb_populate_recordset(NULL::${table}, ${JSON.stringify(values, asJson)}::jsonb)`;
  if (fields.length === 0) {
    await db.$executeRaw(insert);
    return [];
  }
  const returned = fields.map((field) =>
    join([identifier(columnName(model, field)), identifier(field)], " AS "),
  );
  return db.$queryRaw<Pick<Scalars<M>, F>[]>(join([insert, join(returned)], " RETURNING "));
}

const identifier = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);

const join = (parts: readonly Prisma.Sql[], separator = ", "): Prisma.Sql =>
  Prisma.join([...parts], separator);

/** Writes what JSON has no word for as PostgreSQL reads it. */
function asJson(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  return value === Prisma.DbNull ? null : value;
}
