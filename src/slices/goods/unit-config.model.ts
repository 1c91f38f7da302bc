import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";

export const UnitDisplayModeEnum = defineEnum("UnitDisplayMode", ["decimal", "fraction"], {
  description: "How clients show parts of a unit.",
  values: { decimal: "As 0.5.", fraction: "As 1/2." },
});

@ObjectType({ description: "How quantities of a good are chosen and shown." })
export class UnitConfig {
  @Field(() => Boolean, { description: "Whether the configuration is in use." })
  enabled!: boolean;

  @Field(() => String, { description: "Name of the unit, 1 to 16 characters." })
  unitName!: string;

  @Field(() => Int, { description: "How many parts a unit has, 1 to 1000; quantities count such parts." })
  fraction!: number;

  @Field(() => Int, { description: "Smallest quantity." })
  minQuantity!: number;

  @Field(() => Int, { description: "Distance of neighbouring quantities." })
  stepQuantity!: number;

  @Field(() => Int, { description: "Largest quantity." })
  maxQuantity!: number;

  @Field(() => UnitDisplayModeEnum, { description: "How parts of a unit are shown." })
  displayMode!: string;

  @Field(() => Int, { nullable: true, description: "Weight of one unit." })
  weightPerUnit?: number | null;
}
