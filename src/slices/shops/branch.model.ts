import { Field, Int, ObjectType } from "type-graphql";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { Json } from "../../core/scalars/json.js";
import { BranchGroup } from "./branch-group.model.js";
import { City } from "./city.model.js";
import { Geofence } from "./geofence.model.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";

/**
 * Opening hours of a branch: by weekday, `"0"` (Sunday) to `"6"`, spans of clock times `HH:MM` in the branch's
 * zone.
 */
export type OpeningHours = Readonly<
  Record<string, readonly { readonly from: string; readonly to: string }[]>
>;

@ObjectType({ description: "One place of a shop." })
export class Branch extends NamedRow {
  @ExternalId()
  externalId!: string | null;

  @Field(() => Int, { nullable: true, description: "The shop it belongs to." })
  branchGroupId!: number | null;

  @Field(() => Int, { nullable: true, description: "The city it lies in." })
  cityId!: number | null;

  @Field(() => String, { nullable: true, description: "Postal address." })
  address!: string | null;

  @Field(() => Int, { nullable: true, description: "Latitude in millionths of a degree." })
  latitudeE6!: number | null;

  @Field(() => Int, { nullable: true, description: "Longitude in millionths of a degree." })
  longitudeE6!: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Time zone offset such as `-04:00`; without it and `timeZone` its zone is the company's.",
  })
  timeZoneOffset!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "IANA name of its time zone, such as `Europe/Berlin`, which wins over the offset; null: none.",
  })
  timeZone!: string | null;

  @Field(() => Json, {
    nullable: true,
    description:
      'By weekday, "0" (Sunday) to "6", lists of `{from, to}` clock times `HH:MM`; a day that is missing is ' +
      "closed. Null: nothing is known.",
  })
  openingHours!: OpeningHours | null;

  @Field(() => Boolean, { description: "Whether it takes orders at all." })
  enabled!: boolean;

  @ToOne(() => BranchGroup, {
    model: "BranchGroup",
    via: "branchGroupId",
    openTo: "readers",
    description: "The shop it belongs to.",
  })
  branchGroup!: BranchGroup | null;

  @ToOne(() => City, { model: "City", via: "cityId", openTo: "readers", description: "The city it lies in." })
  city!: City | null;

  @ToMany(() => Geofence, {
    model: "Geofence",
    foreignKey: "branchId",
    order: [{ id: "asc" }],
    openTo: "readers",
    description: "The areas it serves, oldest first.",
  })
  geofences!: Geofence[];
}

export const branchList = defineList(Branch, "Branch", {
  ...NAMED_FIELDS,
  ...EXTERNAL_ID_FIELDS,
  branchGroupId: { kind: "int", nullable: true },
  cityId: { kind: "int", nullable: true },
  enabled: { kind: "boolean", sortable: false },
});
