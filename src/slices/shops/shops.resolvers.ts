import { branchCategoryCrud } from "./branch-category.resource.js";
import { branchGroupCrud } from "./branch-group.resource.js";
import { branchCrud } from "./branch.resource.js";
import { cityCrud } from "./city.resource.js";
import { geofenceCrud } from "./geofence.resource.js";

/** Resolvers of cities, shops, branches, branch categories and geofences. */
export const shopsResolvers = [
  ...branchCategoryCrud,
  ...branchGroupCrud,
  ...branchCrud,
  ...cityCrud,
  ...geofenceCrud,
] as const;
