import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { Json } from "../../core/scalars/json.js";
import { Branch } from "./branch.model.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

/** A point: longitude, then latitude, both in millionths of a degree. */
export type PointE6 = readonly [longitudeE6: number, latitudeE6: number];

/** A circle of `radius` metres around its one point, or a polygon whose last point joins the first. */
export type GeofenceData =
  | { readonly shape: "circle"; readonly radius: number; readonly coordinates: readonly [PointE6] }
  | { readonly shape: "polygon"; readonly radius?: null; readonly coordinates: readonly PointE6[] };

@ObjectType({ description: "An area that is served or, if inverted, one that is not." })
export class Geofence extends NamedRow {
  @Field(() => String, { description: "What the area is for, such as `delivery`." })
  type!: string;

  @Field(() => Json, {
    description:
      "`{shape, radius, coordinates}`: a `circle` of `radius` metres around its one point, or a `polygon`. " +
      "Points are `[longitude, latitude]` in millionths of a degree.",
  })
  data!: GeofenceData;

  @Field(() => Boolean, { description: "Whether it counts." })
  enabled!: boolean;

  @Field(() => Boolean, { description: "Whether the area is excluded instead of served." })
  inverted!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: "The branch whose area it is; null: the whole company's.",
  })
  branchId!: number | null;

  @ToOne(() => Branch, {
    model: "Branch",
    via: "branchId",
    openTo: "readers",
    description: "The branch whose area it is.",
  })
  branch!: Branch | null;
}

export const geofenceList = defineList(Geofence, "Geofence", {
  ...NAMED_FIELDS,
  branchId: { kind: "int", nullable: true },
  enabled: { kind: "boolean", sortable: false },
});
