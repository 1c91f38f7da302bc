import type { FastifyRequest } from "fastify";
import { acceptedTypes } from "../http/accepted-types.js";
import { isAbsent, type Query } from "./bind-query.js";
import { TABLE_KINDS, TABLE_TYPES, type TableKind } from "./table-formats.js";
import type { WrongParameters } from "./wrong-parameters.js";

/**
 * Returns which table the caller wants, by `format` or by an `Accept` that prefers its media type to JSON; `null` for
 * JSON. An unknown format, or a report that is neither 0 nor 1, is noted as wrong.
 *
 * @param options.takesReport whether `report=1` asks for a csv, too, where no `format` is named.
 */
export function wantedTable(
  request: FastifyRequest,
  { takesReport = false }: { takesReport?: boolean },
  wrong: WrongParameters,
): TableKind | null {
  const { format, report } = request.query as Query;
  if (takesReport && !isAbsent(report) && report !== "0" && report !== "1")
    wrong.add("report", "enum", "must be 0 or 1");
  const kind = TABLE_KINDS.find((known) => known === format);
  if (kind !== undefined || format === "json") return kind ?? null;
  if (!isAbsent(format)) wrong.add("format", "enum", `must be json, ${TABLE_KINDS.join(" or ")}`);
  if (takesReport && report === "1") return "csv";
  const accepted = acceptedTypes(request);
  const quality = (type: string) => accepted.get(type) ?? 0;
  const most = Math.max(...TABLE_KINDS.map((known) => quality(TABLE_TYPES[known])));
  if (most <= quality("application/json")) return null;
  return TABLE_KINDS.find((known) => quality(TABLE_TYPES[known]) === most) ?? null;
}
