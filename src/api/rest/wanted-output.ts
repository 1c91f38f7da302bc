import { DomainError } from "../../core/errors/domain-error.js";
import type { Query } from "./bind-query.js";

/**
 * Whether the caller wants CSV: by `format=csv`, or by an `Accept` that prefers `text/csv` to JSON.
 *
 * @throws DomainError BAD_REQUEST for an unknown format.
 */
export function wantsCsv(query: Query, accept: string | undefined): boolean {
  const { format } = query;
  if (format === "csv" || format === "json") return format === "csv";
  if (format !== undefined) {
    const message = "must be csv or json";
    throw new DomainError("BAD_REQUEST", `format ${message}.`, {
      errors: [{ field: "format", rule: "enum", message }],
    });
  }
  const ranges = (accept ?? "").split(",").map(readRange);
  const quality = (type: string) => ranges.find((range) => range.type === type)?.quality ?? 0;
  return quality("text/csv") > quality("application/json");
}

function readRange(text: string): { type: string; quality: number } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, quality: given === undefined ? 1 : Number(given.slice(2)) || 0 };
}
