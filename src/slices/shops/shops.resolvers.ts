import { branchCategoryCrud } from "./branch-category.resource.js";
import { branchGroupCrud } from "./branch-group.resource.js";
import { branchCrud } from "./branch.resource.js";
import { cityCrud } from "./city.resource.js";
import { DayTimeResolver } from "./day-time.resolver.js";
import { geofenceCrud } from "./geofence.resource.js";

/** Resolvers of cities, shops, branches with their day and time, branch categories and geofences. */
export const shopsResolvers = [
  ...branchCategoryCrud,
  ...branchGroupCrud,
  ...branchCrud,
  ...cityCrud,
  ...geofenceCrud,
  DayTimeResolver,
] as const;
