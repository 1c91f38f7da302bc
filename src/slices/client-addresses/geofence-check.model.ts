import { Field, Int, ObjectType } from "type-graphql";
import { Geofence } from "../shops/geofence.model.js";

@ObjectType({ description: "Where an address lies among the areas that the company serves now." })
export class GeofenceCheck {
  @Field(() => [Int], {
    description: "The point that was checked: longitude, then latitude, in millionths of a degree.",
  })
  coordinatesE6!: readonly number[];

  @Field(() => Int, {
    nullable: true,
    description:
      "Metres from the address to the edge of the geofence, rounded up; 0 when the address is valid.",
  })
  distanceInMeters!: number | null;

  @Field(() => Boolean, {
    description: "Whether a geofence holds the address; an inverted one holds what is outside of its shape.",
  })
  isValid!: boolean;

  @Field(() => Geofence, {
    description:
      "The geofence that holds the address, of several the one with the lowest id; else the nearest.",
  })
  geofence!: Geofence;
}
