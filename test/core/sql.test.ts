import { sql } from "../../src/core/db/sql.js";
import { Prisma } from "../../src/generated/prisma/client.js";

describe("a statement from a template", () => {
  it("has places for its values, and never their text", () => {
    const { text, values } = sql`SELECT ${"a'b"}, ${2} FROM goods`;

    expect([text, values]).toEqual(["SELECT $1, $2 FROM goods", ["a'b", 2]]);
  });

  it("puts parts into their places, however deep, as Prisma does", () => {
    const make = (
      tag: typeof sql | typeof Prisma.sql,
      join: typeof sql.join,
      raw: typeof sql.raw,
      empty: unknown,
    ) => {
      const inner = tag`price_e2 > ${5}`;
      const any = tag`(${inner} OR ${tag`type = ${7}`})`;
      const columns = join([raw("id"), raw('"name"')]);
      return tag`SELECT ${columns} ${empty} FROM goods WHERE company_id = ${1} AND ${any} AND id IN (${join([8, 9])})${empty}`;
    };
    const own = make(sql, sql.join, sql.raw, sql.empty);
    const prismas = make(
      Prisma.sql,
      (parts, separator) => Prisma.join([...parts], separator),
      Prisma.raw,
      Prisma.empty,
    );

    expect([own.text, own.values]).toEqual([prismas.text, prismas.values]);
    expect([own.strings, own.sql]).toEqual([prismas.strings, prismas.sql]);
    expect(own.text).toBe(
      'SELECT id,"name"  FROM goods WHERE company_id = $1 AND (price_e2 > $2 OR type = $3) AND id IN ($4,$5)',
    );
  });

  it("joins by any text, and refuses to join nothing", () => {
    expect(sql.join([sql`a = ${1}`, sql`b = ${2}`], " OR ").text).toBe("a = $1 OR b = $2");
    expect(() => sql.join([])).toThrow("Nothing is joined");
  });
});
