import { areaOf, vectorOf, type Area } from "./geofence-area.rules.js";
import type { GeofenceData, PointE6 } from "./geofence.model.js";

/** A geofence as it is stored, which counts. */
export interface StoredGeofence {
  readonly id: number;
  readonly data: unknown;
  readonly inverted: boolean;
}

/** The geofence in which a point lies: in or nearest to which geofence, and how many metres from it. */
export interface Place<Geofence> {
  readonly geofence: Geofence;
  /** 0 in the geofence; else at least 1. */
  readonly distanceInMeters: number;
}

/** Finds points among the geofences of a company. */
export class GeofenceMap<Geofence extends StoredGeofence> {
  private readonly areas: readonly { geofence: Geofence; area: Area }[];

  /** @param geofences that count, in the order of their ids. */
  constructor(geofences: readonly Geofence[]) {
    this.areas = geofences.flatMap((geofence) => {
      const { data, inverted } = geofence;
      return isArea(data) ? [{ geofence, area: areaOf({ data, inverted }) }] : [];
    });
  }

  /**
   * Finds the geofence that holds the point, of several the one with the lowest id; otherwise the nearest.
   *
   * @returns `null` when there are no geofences.
   */
  placeOf(point: PointE6): Place<Geofence> | null {
    const vector = vectorOf(point);
    let nearest: { geofence: Geofence; meters: number } | null = null;
    for (const { geofence, area } of this.areas) {
      if (nearest !== null && area.atLeast(vector) >= nearest.meters) continue;
      const meters = area.metersFrom(vector);
      if (meters === 0) return { geofence, distanceInMeters: 0 };
      if (nearest === null || meters < nearest.meters) nearest = { geofence, meters };
    }
    return nearest && { geofence: nearest.geofence, distanceInMeters: Math.ceil(nearest.meters) };
  }
}

/** Returns whether data say an area: rows that no operation wrote may hold anything. */
function isArea(data: unknown): data is GeofenceData {
  const { shape, coordinates } = data as Partial<GeofenceData>;
  return (shape === "circle" || shape === "polygon") && Array.isArray(coordinates) && coordinates.length > 0;
}
