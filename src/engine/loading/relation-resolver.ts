import { responsePathAsArray, type GraphQLResolveInfo } from "graphql";
import { areaForbidden, type DomainError, forbidden } from "../../core/errors/domain-error.js";
import type { Row } from "../../core/relations/relations.js";
import type { RowBudget } from "../limits/row-budget.js";
import type { Loaders } from "./loaders.js";
import type { GuardedRelation, RelationAccess } from "./relation-access.js";

/** Decides who may follow relations. */
export interface RelationReader {
  /**
   * Returns whether the caller may follow relations with this access in the company to the row with this id. The answer is
   * a promise only as long as the caller's permissions are not known.
   */
  mayFollow(access: RelationAccess, companyId: number, id: number): boolean | Promise<boolean>;
}

/** The part of a run that follows relations. */
export interface RelationRun {
  readonly loaders: Loaders;
  readonly budget: RowBudget;
  readonly admissions: RelationReader;
  /** The places of the answer whose relation was refused, see `placeOf`. */
  readonly refusedPlaces: Set<string>;
}

/** Where in the answer a relation is followed. */
type Place = Pick<GraphQLResolveInfo, "path">;

const NO_ROWS: readonly Row[] = [];

/**
 * Resolves a relation with the loaders of the run, and counts the objects that it makes. One that the caller may not
 * follow is refused: the error is reported a single time for all rows of a list, at the first of them, and the field is null in all.
 */
export function relationResolver(relation: GuardedRelation) {
  const { via, access } = relation;
  const load = relation.kind === "one" ? loaderOfOne(relation) : loaderOfMany(relation);
  // What takes no path is told none: to make it for each row costs more than all the rest.
  if (access === null)
    return (row: Row, _args: unknown, run: RelationRun): unknown => {
      const id = row[via] as number | null;
      return id === null ? null : load(run, companyOf(row), id);
    };
  const follow = (isAllowed: boolean, row: Row, run: RelationRun, { path }: Place): unknown => {
    if (isAllowed) return load(run, companyOf(row), row[via] as number);
    const place = placeOf(responsePathAsArray(path));
    if (run.refusedPlaces.has(place)) return null;
    run.refusedPlaces.add(place);
    throw refusedRelation(access);
  };
  // A function that waits stands apart, so that nothing is made for it where nobody waits.
  const followLater = async (may: Promise<boolean>, row: Row, run: RelationRun, place: Place) =>
    follow(await may, row, run, place);
  return (row: Row, _args: unknown, run: RelationRun, place: Place): unknown => {
    const id = row[via] as number | null;
    if (id === null) return null;
    const may = run.admissions.mayFollow(access, companyOf(row), id);
    return typeof may === "boolean" ? follow(may, row, run, place) : followLater(may, row, run, place);
  };
}

function companyOf(row: Row): number {
  return row["companyId"] as number;
}

/** Names a field of the answer without the indexes of its rows: `orders.nodes.client`. */
export function placeOf(path: readonly (string | number)[]): string {
  return path.filter((key) => typeof key === "string").join(".");
}

type Load = (run: RelationRun, companyId: number, id: number) => unknown;

/** A run over its limit is refused as a whole, so it does not matter what its fields answer. */
function loaderOfOne(relation: GuardedRelation & { kind: "one" }): Load {
  return ({ loaders, budget }, companyId, id) =>
    budget.makes(1) ? loaders.one(relation, companyId, id) : null;
}

function loaderOfMany(relation: GuardedRelation & { kind: "many" }): Load {
  const counted = (rows: readonly Row[], budget: RowBudget): readonly Row[] =>
    budget.makes(rows.length) ? rows : NO_ROWS;
  return ({ loaders, budget }, companyId, id) => {
    const rows = loaders.many(relation, companyId, id);
    return rows instanceof Promise ? rows.then((found) => counted(found, budget)) : counted(rows, budget);
  };
}

/** The refusal of a relation that the caller may not follow. */
export function refusedRelation({ area, orItself }: RelationAccess): DomainError {
  if (area !== null) return areaForbidden(area);
  return forbidden(
    `Only the ${orItself} itself may do this.`,
    orItself === null ? {} : { principal: orItself },
  );
}
