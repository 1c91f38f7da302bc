import { DomainError } from "../../core/errors/domain-error.js";
import type { Query } from "./bind-query.js";

/**
 * Whether the caller wants CSV: by `format=csv`, or by an `Accept` that prefers `text/csv` to JSON.
 *
 * @param takesReport whether `report=1` asks for it, too.
 * @throws DomainError BAD_REQUEST for an unknown format, or a report that is neither 0 nor 1.
 */
export function wantsCsv(query: Query, accept: string | undefined, takesReport = false): boolean {
  const { format, report } = query;
  if (takesReport && report !== undefined) {
    if (report === "1") return true;
    if (report !== "0") throw wrongParameter("report", "must be 0 or 1");
  }
  if (format === "csv" || format === "json") return format === "csv";
  if (format !== undefined) throw wrongParameter("format", "must be csv or json");
  const ranges = (accept ?? "").split(",").map(readRange);
  const quality = (type: string) => ranges.find((range) => range.type === type)?.quality ?? 0;
  return quality("text/csv") > quality("application/json");
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
