const MAX_RADIUS_METERS = 20_000_000;
const MAX_POINTS = 1_000;

const POINT = {
  type: "array",
  minItems: 2,
  maxItems: 2,
  prefixItems: [
    { type: "integer", minimum: -180_000_000, maximum: 180_000_000 },
    { type: "integer", minimum: -90_000_000, maximum: 90_000_000 },
  ],
};

const CIRCLE = {
  properties: {
    radius: { type: "integer", minimum: 1, maximum: MAX_RADIUS_METERS },
    coordinates: { maxItems: 1 },
  },
  required: ["radius"],
};

const POLYGON = { properties: { radius: { type: "null" }, coordinates: { minItems: 3 } } };

/** JSON Schema of a geofence's `data`. */
export const GEOFENCE_DATA_SCHEMA = {
  type: "object",
  properties: {
    shape: { enum: ["circle", "polygon"] },
    radius: {},
    coordinates: { type: "array", minItems: 1, maxItems: MAX_POINTS, items: POINT },
  },
  required: ["shape", "coordinates"],
  additionalProperties: false,
  allOf: [
    { if: { properties: { shape: { const: "circle" } } }, then: CIRCLE },
    { if: { properties: { shape: { const: "polygon" } } }, then: POLYGON },
  ],
};
