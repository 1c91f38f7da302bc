import { DomainError } from "../../core/errors/domain-error.js";
import type { Query } from "./bind-query.js";
import { TABLE_KINDS, TABLE_TYPES, type TableKind } from "./table-formats.js";

/**
 * Returns which table the caller wants, by `format` or by an `Accept` that prefers its media type to JSON; `null` for
 * JSON.
 *
 * @throws DomainError BAD_REQUEST for an unknown format.
 */
export function wantedTable(query: Query, accept: string | undefined): TableKind | null {
  const { format } = query;
  if (format === "json") return null;
  const kind = TABLE_KINDS.find((known) => known === format);
  if (kind !== undefined) return kind;
  if (format !== undefined) {
    const message = `must be json, ${TABLE_KINDS.join(" or ")}`;
    throw new DomainError("BAD_REQUEST", `format ${message}.`, {
      errors: [{ field: "format", rule: "enum", message }],
    });
  }
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
