import { isObjectType, type GraphQLSchema } from "graphql";
import type { CheckedList, ListField } from "../../core/lists/list-definition.js";
import { CHECKED_LIST } from "../../core/operations/operation-arguments.js";
import { snakeCaseOf } from "../../core/names.js";
import { isModel, isTenantModel, type ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { auditTriggers } from "../audit/audit-triggers.js";
import { eraseScripts } from "../audit/erase-trail.js";
import { countTriggers } from "../counts/row-counts.js";
import { externalIdTriggers } from "../triggers/external-id-triggers.js";
import { versionScripts } from "../triggers/version-triggers.js";
import { reachScripts } from "../tenancy/reach-functions.js";
import { filterIndex } from "../texts/text-indexes.js";
import type { ListNeeds } from "./index-reasons.js";
import type { SqlSource } from "./sql-sources.js";

/**
 * Returns the SQL that follows from the lists of a schema (`defineList`), from the marks `@audited`, `@counted`, `@partOf` and `@personal`, from the
 * fields `version` and `externalId` and from what leads to shops, so that nobody writes it: indexes of filters with their statistics, triggers, and
 * functions that erase, or that say what a caller reaches.
 */
export function derivedSources(schema: GraphQLSchema): SqlSource[] {
  const indexes = [...listsOf(schema)].map(([model, fields]) => ({
    path: `list ${model}`,
    script: filterIndex(model, fields) ?? "",
    needs: needsOf(model, fields),
  }));
  const audits = [...auditTriggers()].map(([table, script]) => ({
    path: `audit trail of ${table}`,
    script,
  }));
  const counts = [...countTriggers()].map(([table, script]) => ({ path: `count of ${table}`, script }));
  const versions = versionScripts().map(({ table, script, function: name }) => ({
    path: `version of ${table}`,
    script,
    ...(name !== null && { function: name }),
  }));
  const externalIds = [...externalIdTriggers()].map(([table, script]) => ({
    path: `external ids of ${table}`,
    script,
  }));
  const erasures = eraseScripts().map(({ table, script, function: name }) => ({
    path: `erasure of ${table}`,
    script,
    function: name,
  }));
  const reaches = reachScripts().map(({ table, script, function: name }) => ({
    path: `reach of ${table}`,
    script,
    function: name,
  }));
  return [...indexes, ...audits, ...counts, ...versions, ...externalIds, ...erasures, ...reaches];
}

function needsOf(model: ModelName, fields: CheckedList["fields"]): ListNeeds {
  const declared = Object.entries(fields as Readonly<Record<string, ListField>>);
  const columns = (are: (field: ListField) => boolean): string[] =>
    declared.filter(([, field]) => are(field)).map(([name]) => snakeCaseOf(name));
  return {
    list: model,
    table: MODEL_FACTS[model].table,
    orders: columns(({ sortable, derived }) => sortable !== false && derived === undefined),
    filters: columns(({ filterable, derived }) => filterable !== false && derived === undefined),
  };
}

/** Returns the fields of the lists of each tenant model. */
export function listsOf(schema: GraphQLSchema): ReadonlyMap<ModelName, CheckedList["fields"]> {
  const lists = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .flatMap(({ args }) => args)
    .map(({ extensions }) => extensions[CHECKED_LIST] as CheckedList | undefined);
  const found = new Map<ModelName, CheckedList["fields"]>();
  for (const list of lists) {
    const name = list?.cursors ?? "";
    if (list !== undefined && isModel(name) && isTenantModel(name)) found.set(name, list.fields);
  }
  return found;
}
