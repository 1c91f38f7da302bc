import { DomainError } from "../../core/errors/domain-error.js";
import type { Query } from "./bind-query.js";
import { TABLE_KINDS, TABLE_TYPES, type TableKind } from "./table-formats.js";

/**
 * Returns which table the caller wants, by `format` or by an `Accept` that prefers its media type to JSON; `null` for
 * JSON.
 *
 * @param takesReport whether `report=1` asks for it, too.
 * @throws DomainError BAD_REQUEST for an unknown format, or a report that is neither 0 nor 1.
 */
export function wantedTable(
  query: Query,
  accept: string | undefined,
  { takesReport = false }: { takesReport?: boolean } = {},
): TableKind | null {
  const { format, report } = query;
  if (takesReport && report !== undefined) {
    if (report === "1") return "csv";
    if (report !== "0") throw wrongParameter("report", "must be 0 or 1");
  }
  if (format === "json") return null;
  const kind = TABLE_KINDS.find((known) => known === format);
  if (kind !== undefined) return kind;
  if (format !== undefined) throw wrongParameter("format", `must be json, ${TABLE_KINDS.join(" or ")}`);
  const ranges = (accept ?? "").split(",").map(readRange);
  const quality = (type: string) => ranges.find((range) => range.type === type)?.quality ?? 0;
  const most = Math.max(...TABLE_KINDS.map((known) => quality(TABLE_TYPES[known])));
  if (most <= quality("application/json")) return null;
  return TABLE_KINDS.find((known) => quality(TABLE_TYPES[known]) === most) ?? null;
}

function readRange(text: string): { type: string; quality: number } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, quality: given === undefined ? 1 : Number(given.slice(2)) || 0 };
}

function wrongParameter(field: string, message: string): DomainError {
  return new DomainError("BAD_REQUEST", `${field} ${message}.`, {
    errors: [{ field, rule: "enum", message }],
  });
}
