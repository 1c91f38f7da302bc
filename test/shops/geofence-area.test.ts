import fc from "fast-check";
import { areaOf, fitsHalfOfGlobe, vectorOf } from "../../src/slices/shops/geofence-area.rules.js";
import { GeofenceMap } from "../../src/slices/shops/geofence-check.rules.js";
import type { GeofenceData, PointE6 } from "../../src/slices/shops/geofence.model.js";

/** A degree of a great circle, in metres. */
const DEGREE = 111_195.08;

const point = (longitude: number, latitude: number): PointE6 => [
  Math.round(longitude * 1e6),
  Math.round(latitude * 1e6),
];
const polygon = (...points: [number, number][]): GeofenceData => ({
  shape: "polygon",
  coordinates: points.map(([longitude, latitude]) => point(longitude, latitude)),
});
const circle = (longitude: number, latitude: number, radius: number): GeofenceData => ({
  shape: "circle",
  radius,
  coordinates: [point(longitude, latitude)],
});
const meters = (data: GeofenceData, [longitude, latitude]: [number, number], inverted = false): number =>
  areaOf({ data, inverted }).metersFrom(vectorOf(point(longitude, latitude)));

const SQUARE = polygon([-1, -1], [1, -1], [1, 1], [-1, 1]);
const OVER_ANTIMERIDIAN = polygon([179, -1], [-179, -1], [-179, 1], [179, 1]);
const AROUND_POLE = polygon([0, 80], [90, 80], [180, 80], [-90, 80]);
const AROUND_SOUTH_POLE = polygon([0, -80], [-90, -80], [180, -80], [90, -80]);
/** An L, whose corner of one square is missing. */
const BENT = polygon([0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]);

it.each<[string, GeofenceData, [number, number], boolean]>([
  ["the middle of a square", SQUARE, [0, 0], true],
  ["a corner", SQUARE, [1, 1], true],
  ["an edge", SQUARE, [1, 0.25], true],
  ["what is beside a square", SQUARE, [1.01, 0], false],
  ["what lies opposite on the globe", SQUARE, [180, 0], false],
  ["both sides of the antimeridian", OVER_ANTIMERIDIAN, [179.5, 0.5], true],
  ["the other side", OVER_ANTIMERIDIAN, [-179.5, -0.5], true],
  ["the antimeridian itself", OVER_ANTIMERIDIAN, [180, 0], true],
  ["the antimeridian by its other name", OVER_ANTIMERIDIAN, [-180, 0], true],
  ["the rest of the globe", OVER_ANTIMERIDIAN, [0, 0], false],
  ["a pole", AROUND_POLE, [0, 90], true],
  ["a pole at any longitude", AROUND_POLE, [123, 90], true],
  ["what is near a pole", AROUND_POLE, [-135, 85], true],
  ["what is far from a pole", AROUND_POLE, [45, 79], false],
  ["the other pole", AROUND_POLE, [0, -90], false],
  ["the south pole, the other way around", AROUND_SOUTH_POLE, [17, -89], true],
  ["the foot of a bent area", BENT, [1.5, 0.5], true],
  ["the missing corner of a bent area", BENT, [1.5, 1.5], false],
])("knows whether an area holds %s", (_, data, at, isHeld) => {
  expect(meters(data, at) === 0).toBe(isHeld);
  if (!isHeld) expect(meters(data, at, true)).toBe(0);
});

it.each<[string, GeofenceData, [number, number], boolean, number]>([
  ["a circle", circle(0, 0, 50_000), [1, 0], false, DEGREE - 50_000],
  ["a circle across the antimeridian", circle(179.9, 0, 10_000), [-179.9, 0], false, 0.2 * DEGREE - 10_000],
  ["a circle across a pole", circle(0, 89.9, 10_000), [180, 89.9], false, 0.2 * DEGREE - 10_000],
  ["a circle that reaches across a pole", circle(0, 89.9, 50_000), [180, 89.9], false, 0],
  ["an inverted circle", circle(0, 0, 200_000), [1, 0], true, 200_000 - DEGREE],
  ["a square, to its edge", SQUARE, [2, 0], false, DEGREE],
  ["a square, to its corner", SQUARE, [1, 3], false, 2 * DEGREE],
  ["an inverted square, to its edge", SQUARE, [0.75, 0], true, 0.25 * DEGREE],
  ["a polygon over the antimeridian", OVER_ANTIMERIDIAN, [178, 0], false, DEGREE],
])("measures metres from %s", (_, data, at, inverted, wanted) => {
  expect(meters(data, at, inverted)).toBeCloseTo(wanted, -2);
});

it("knows a polygon of which nobody could say what is inside", () => {
  const around = [point(0, 0), point(120, 0), point(-120, 0)];
  const half = [point(-80, -40), point(80, -40), point(80, 40), point(-80, 40)];

  expect([around, half].map(fitsHalfOfGlobe)).toEqual([false, true]);
});

const longitude = fc.integer({ min: -180_000_000, max: 180_000_000 });
const latitude = fc.integer({ min: -90_000_000, max: 90_000_000 });
const anywhere = fc.tuple(longitude, latitude);
const corners = fc.array(
  fc.tuple(
    fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
    fc.double({ min: 0.2, max: 1, noNaN: true }),
  ),
  {
    minLength: 3,
    maxLength: 12,
  },
);

/** A polygon around a point, which holds it: its corners are seen at rising angles of less than a half turn. */
const starAround = (middle: PointE6, rays: [number, number][], degrees: number): PointE6[] => {
  const [x, y, z] = vectorOf(middle);
  const east = Math.hypot(x, y) < 1e-9 ? [0, 1, 0] : [-y / Math.hypot(x, y), x / Math.hypot(x, y), 0];
  const north = [y * east[2]! - z * east[1]!, z * east[0]! - x * east[2]!, x * east[1]! - y * east[0]!];
  return rays.map(([, reach], index) => {
    const angle = (2 * Math.PI * index) / rays.length;
    const far = (degrees * reach * Math.PI) / 180;
    const at = [x, y, z].map(
      (own, axis) =>
        own * Math.cos(far) +
        Math.sin(far) * (Math.cos(angle) * east[axis]! + Math.sin(angle) * north[axis]!),
    );
    return point((Math.atan2(at[1]!, at[0]!) * 180) / Math.PI, (Math.asin(at[2]!) * 180) / Math.PI);
  });
};

it("holds the middle of each star wherever on the globe it lies, and not what is opposite", () => {
  fc.assert(
    fc.property(
      anywhere,
      corners,
      fc.double({ min: 0.01, max: 40, noNaN: true }),
      (middle, rays, degrees) => {
        const data: GeofenceData = { shape: "polygon", coordinates: starAround(middle, rays, degrees) };
        const [far, near] = [
          [middle[0] > 0 ? middle[0] - 180e6 : middle[0] + 180e6, -middle[1]] as const,
          middle,
        ];
        const area = areaOf({ data, inverted: false });

        expect(area.metersFrom(vectorOf(near))).toBe(0);
        expect(area.metersFrom(vectorOf(far))).toBeGreaterThan(1_000_000);
      },
    ),
  );
});

it("has each point in the area or in its opposite, and says no less than it is at least", () => {
  const data = fc.oneof(
    fc
      .tuple(anywhere, fc.integer({ min: 1, max: 20_000_000 }))
      .map(([at, radius]): GeofenceData => ({ shape: "circle", radius, coordinates: [at] })),
    fc
      .tuple(anywhere, corners)
      .map(([at, rays]): GeofenceData => ({ shape: "polygon", coordinates: starAround(at, rays, 30) })),
  );
  fc.assert(
    fc.property(data, anywhere, (shape, at) => {
      const [plain, opposite] = [false, true].map((inverted) => areaOf({ data: shape, inverted }));
      const vector = vectorOf(at);

      expect(Math.min(plain!.metersFrom(vector), opposite!.metersFrom(vector))).toBe(0);
      for (const area of [plain!, opposite!])
        expect(area.atLeast(vector)).toBeLessThanOrEqual(area.metersFrom(vector) + 0.001);
    }),
  );
});

it("finds the first geofence that holds a point, else the nearest, as looking at each does", () => {
  const circles = fc.array(
    fc.record({ at: anywhere, radius: fc.integer({ min: 1, max: 3_000_000 }), inverted: fc.boolean() }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(circles, anywhere, (all, at) => {
      const geofences = all.map(({ at: middle, radius, inverted }, index) => ({
        id: index + 1,
        data: { shape: "circle" as const, radius, coordinates: [middle] as const },
        inverted,
      }));
      const distances = geofences.map((geofence) => areaOf(geofence).metersFrom(vectorOf(at)));
      const nearest = distances.indexOf(Math.min(...distances));

      expect(new GeofenceMap(geofences).placeOf(at)).toEqual({
        geofence: geofences[nearest],
        distanceInMeters: Math.ceil(distances[nearest]!),
      });
    }),
  );
});

it("looks at no geofence whose data say no area", () => {
  const map = new GeofenceMap([{ id: 1, data: {}, inverted: true }]);

  expect(map.placeOf([0, 0])).toBeNull();
});
