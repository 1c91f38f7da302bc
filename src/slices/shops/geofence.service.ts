import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import { fitsHalfOfGlobe } from "./geofence-area.rules.js";
import { GeofenceMap } from "./geofence-check.rules.js";
import { type Geofence, type GeofenceData, geofenceList } from "./geofence.model.js";
import { countGeofences, lockGeofences } from "./geofence.sql.js";

type GeofenceRow = Row<"Geofence">;

/** A company has at most this many geofences, and they all together this many points: each address looks at them. */
const MOST_GEOFENCES = 1_000;
const MOST_POINTS = 20_000;

export const geofenceService = resourceService<Geofence>("Geofence", geofenceList, {
  prepare: keepWithinBounds,
});

/** The company's geofences that count, to find points among. */
export async function geofenceMap({ db, companyId }: CompanyScope): Promise<GeofenceMap<GeofenceRow>> {
  const where = { companyId, enabled: true };
  return new GeofenceMap(await db.geofence.findMany({ where, orderBy: [{ id: "asc" }] }));
}

/**
 * Refuses an area of which nobody could say what is inside, and one too many.
 *
 * @throws DomainError VALIDATION_FAILED with rule `half_of_globe`; INVALID_STATE.
 */
async function keepWithinBounds(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const data = input["data"] as GeofenceData | undefined;
  if (data === undefined) return input;
  if (data.shape === "polygon" && !fitsHalfOfGlobe(data.coordinates))
    throw invalidField("data.coordinates", "half_of_globe", "must lie within one half of the globe");
  await lockGeofences(scope);
  const others = await countGeofences(scope, id);
  if (others.geofences >= MOST_GEOFENCES)
    throw new DomainError("INVALID_STATE", `A company has at most ${MOST_GEOFENCES} geofences.`);
  if (others.points + data.coordinates.length > MOST_POINTS)
    throw new DomainError(
      "INVALID_STATE",
      `The geofences of a company have at most ${MOST_POINTS} points together.`,
    );
  return input;
}
