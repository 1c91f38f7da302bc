import { MODEL_FACTS } from "../../generated/models.js";
import { ledModels, reachFunction, reachOfTables } from "./bound-rows.js";

/** A function that says whether a bound caller reaches a row of a table. */
export interface ReachScript {
  readonly table: string;
  readonly script: string;
  readonly function: string;
}

/** The parameters of the functions by the places in the conditions on what a caller reaches. */
const PARAMETERS: Readonly<Record<string, string>> = {
  company: "_company",
  shops: "_shops",
  branches: "_branches",
  read: "_read",
  self: "_self",
};

/** Returns the functions that the conditions on new rows call. */
export function reachScripts(): ReachScript[] {
  const reaches = reachOfTables();
  return ledModels().map((model) => {
    const { table } = MODEL_FACTS[model];
    const { read = null, written = null } = reaches.get(table) ?? {};
    const name = reachFunction(table);
    return { table, function: name, script: scriptOf(name, table, { read, written }) };
  });
}

function scriptOf(
  name: string,
  table: string,
  { read, written }: { read: string | null; written: string | null },
): string {
  return `-- Returns whether somebody who is bound to shops reads, or writes, the row of "${table}" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "${name}"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN ${foundBy(table, written ?? "false")};
    END IF;
    RETURN ${foundBy(table, read ?? "true")};
END
$$;\n`;
}

function foundBy(table: string, condition: string): string {
  const own = condition
    .replaceAll("@", "")
    .replaceAll(/\{(\w+)\}::int(?:\[\])?/gu, (_, place: string) => PARAMETERS[place] ?? place);
  return `EXISTS (SELECT FROM "${table}" WHERE "company_id" = _company AND "id" = _id AND ${own})`;
}
