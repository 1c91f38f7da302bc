import { Field, Int, ObjectType } from "type-graphql";
import { DateTime } from "../../core/scalars/date-time.js";

@ObjectType({ description: "Day and time at a branch (contract §9.7)." })
export class DayTime {
  @Field(() => String, { description: "Clock time `HH:MM` at the branch." })
  time!: string;

  @Field(() => String, { description: "Date `YYYY-MM-DD` at the branch." })
  date!: string;

  @Field(() => Int, { description: "Weekday at the branch, 0 (Sunday) to 6." })
  weekday!: number;

  @Field(() => String, {
    description:
      "The branch's zone, the company's where it has none: an IANA name such as `Europe/Berlin`, else an offset such as `-04:00`.",
  })
  timezone!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether it is open by its opening hours; false when it takes no orders at all, null when nothing is known of its " +
      "hours.",
  })
  isOpen!: boolean | null;

  @Field(() => DateTime, {
    description: "When the branch, or the company whose zone it goes by, last changed.",
  })
  updatedAt!: Date;

  sharesSecond!: boolean;
}
