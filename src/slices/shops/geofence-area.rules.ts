import type { GeofenceData, PointE6 } from "./geofence.model.js";

/** A point as the unit vector from the middle of the globe: so neither the antimeridian nor a pole is special. */
export type Vector = readonly [x: number, y: number, z: number];

/** What a geofence holds: its shape or, when it is inverted, all that lies outside of it. The edge belongs to both. */
export interface Area {
  /** How far, in metres, a point lies from the area at least; it costs less than `metersFrom`. */
  atLeast(point: Vector): number;
  /** How far, in metres, a point lies from the area; 0 for one that it holds. */
  metersFrom(point: Vector): number;
}

/** Mean radius of the globe (IUGG), in metres. */
const GLOBE_METERS = 6_371_008.8;
/** Coordinates are a tenth of a metre apart, so what is nearer than half of that lies on the edge. */
const ON_THE_EDGE_METERS = 0.05;

/** The way from one point of a polygon to the next, which is the shortest. */
interface Edge {
  readonly from: Vector;
  readonly to: Vector;
  /** Perpendicular to both; its length is the sine of the angle between them. */
  readonly cross: Vector;
  readonly length: number;
  /** A point is beside the edge when it is on this side of `from` and not on this side of `to`. */
  readonly alongFrom: Vector;
  readonly alongTo: Vector;
}

/** A circle on the globe, by its middle and the angle to its rim. */
interface Cap {
  readonly middle: Vector;
  readonly radius: number;
}

/** Returns the vector of a point `[longitude, latitude]` in millionths of a degree. */
export function vectorOf([longitudeE6, latitudeE6]: PointE6): Vector {
  const longitude = (longitudeE6 / 180e6) * Math.PI;
  const latitude = (latitudeE6 / 180e6) * Math.PI;
  const fromAxis = Math.cos(latitude);
  return [fromAxis * Math.cos(longitude), fromAxis * Math.sin(longitude), Math.sin(latitude)];
}

/** Returns the area of a geofence. */
export function areaOf({ data, inverted }: { data: GeofenceData; inverted: boolean }): Area {
  return data.shape === "circle" ? circle(data, inverted) : polygon(data, inverted);
}

/** Returns whether a polygon lies within one half of the globe: of a larger one nobody could say which side is inside. */
export function fitsHalfOfGlobe(points: readonly PointE6[]): boolean {
  return capAround(points.map(vectorOf)).radius < Math.PI / 2;
}

function circle({ coordinates, radius }: GeofenceData & { shape: "circle" }, inverted: boolean): Area {
  const middle = vectorOf(coordinates[0]);
  const metersFrom = (point: Vector): number => {
    const beyond = angle(middle, point) * GLOBE_METERS - radius;
    return outside(inverted ? -beyond : beyond);
  };
  return { atLeast: metersFrom, metersFrom };
}

function polygon({ coordinates }: GeofenceData & { shape: "polygon" }, inverted: boolean): Area {
  const points = coordinates.map(vectorOf);
  const edges = points.map((from, index) => edge(from, points[(index + 1) % points.length] as Vector));
  const cap = capAround(points);
  return {
    atLeast: (point) => (inverted ? 0 : (angle(cap.middle, point) - cap.radius) * GLOBE_METERS),
    metersFrom: (point) => {
      const isInside = angle(cap.middle, point) <= cap.radius && isAround(edges, point);
      return isInside === inverted ? outside(angleToEdge(edges, point) * GLOBE_METERS) : 0;
    },
  };
}

function edge(from: Vector, to: Vector): Edge {
  const normal = cross(from, to);
  return {
    from,
    to,
    cross: normal,
    length: lengthOf(normal),
    alongFrom: cross(normal, from),
    alongTo: cross(normal, to),
  };
}

/** Returns a circle around all points, about the middle between them. */
function capAround(points: readonly Vector[]): Cap {
  const sum = points.reduce<Vector>(
    ([x, y, z], point) => [x + point[0], y + point[1], z + point[2]],
    [0, 0, 0],
  );
  const length = lengthOf(sum);
  // Points that cancel each other out have no middle.
  if (length < 1e-9) return { middle: points[0] as Vector, radius: Math.PI };
  const middle: Vector = [sum[0] / length, sum[1] / length, sum[2] / length];
  return { middle, radius: Math.max(...points.map((point) => angle(middle, point))) };
}

/**
 * Returns whether the edges go around the point an odd number of times: the angles at which it sees them add up to that many
 * turns. They go around the point opposite on the globe as well, which is not within a cap of less than a half.
 */
function isAround(edges: readonly Edge[], point: Vector): boolean {
  let turned = 0;
  for (const { from, to, cross: normal } of edges)
    turned += Math.atan2(dot(point, normal), dot(from, to) - dot(from, point) * dot(to, point));
  return Math.abs(Math.round(turned / (2 * Math.PI))) % 2 === 1;
}

/** The angle from a point to the nearest edge. */
function angleToEdge(edges: readonly Edge[], point: Vector): number {
  let nearest = Infinity;
  for (const edge of edges) nearest = Math.min(nearest, angleTo(edge, point));
  return nearest;
}

function angleTo({ from, to, cross: normal, length, alongFrom, alongTo }: Edge, point: Vector): number {
  const isBeside = length > 0 && dot(alongFrom, point) >= 0 && dot(alongTo, point) <= 0;
  if (isBeside) return Math.asin(Math.min(1, Math.abs(dot(point, normal)) / length));
  return Math.min(angle(from, point), angle(to, point));
}

function outside(meters: number): number {
  return meters < ON_THE_EDGE_METERS ? 0 : meters;
}

/** The angle between two points; exact for near ones and for opposite ones too. */
function angle(one: Vector, other: Vector): number {
  return Math.atan2(lengthOf(cross(one, other)), dot(one, other));
}

/** `Math.hypot` takes ten times as long, and these are no numbers that could overflow. */
function lengthOf(vector: Vector): number {
  return Math.sqrt(dot(vector, vector));
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
