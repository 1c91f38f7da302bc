import { Field, Int, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A city in which the company works." })
export class City extends NamedRow {
  @Field(() => String, { nullable: true, description: "Country, ISO 3166-1 alpha-2." })
  countryIso!: string | null;

  @Field(() => Int, { nullable: true, description: "Latitude in millionths of a degree." })
  latitudeE6!: number | null;

  @Field(() => Int, { nullable: true, description: "Longitude in millionths of a degree." })
  longitudeE6!: number | null;

  @Field(() => Boolean, { description: "Whether the company works there at present." })
  enabled!: boolean;
}

export const cityList = defineList(City, "City", {
  ...NAMED_FIELDS,
  enabled: { kind: "boolean", sortable: false },
});
