import { MODEL_FACTS } from "../../generated/models.js";
import type { ModelName } from "../scope/tenant-models.js";

/** Says what of a list's field decides whether it is a key. */
interface Keyable {
  readonly kind: string;
  readonly filterable?: boolean;
  readonly isRare?: boolean;
  readonly derived?: object;
  readonly sortable?: boolean;
}

/**
 * Returns the fields that are keys of the index of a model's filters, which finds each of their values: those by which lists are
 * filtered but not ordered, and that no index of the schema, nor one of few rows, begins with. Texts are keys of it by their parts, and external ids have
 * a table of their own.
 *
 * An enum or a boolean narrows little. Where rows are not very many (`@counted`) it has no index: a page is found on the way
 * through the rows in the order of their ids.
 */
export function filterKeys(
  model: ModelName,
  fields: Readonly<Record<string, Keyable | undefined>>,
): readonly string[] {
  const { indexed, isCounted } = MODEL_FACTS[model];
  return Object.keys(fields).filter((field) => {
    const { kind, filterable, isRare, sortable, derived } = fields[field] as Keyable;
    if (derived !== undefined) return false;
    if (filterable === false || isRare === true || sortable !== false || indexed.includes(field))
      return false;
    if (kind === "text" || kind === "texts" || kind === "externalId" || kind === "keys") return false;
    return isCounted || (kind !== "boolean" && kind !== "enum");
  });
}
