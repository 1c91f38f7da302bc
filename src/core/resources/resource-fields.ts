import { IntField, TextField } from "../inputs/input-fields.js";

/** Input field for the name of a resource. */
export const NameField = () => TextField({ description: "Name.", min: 1, max: 64 });

/** Input field for a latitude in millionths of a degree. */
export const LatitudeField = () =>
  IntField({
    description: "Latitude in millionths of a degree.",
    nullable: true,
    min: -90_000_000,
    max: 90_000_000,
  });

/** Input field for a longitude in millionths of a degree. */
export const LongitudeField = () =>
  IntField({
    description: "Longitude in millionths of a degree.",
    nullable: true,
    min: -180_000_000,
    max: 180_000_000,
  });
