import { Field, ObjectType } from "type-graphql";
import { SafeInt } from "../../core/scalars/safe-int.js";

@ObjectType({ description: "How much a company has of something that it may have only so much of." })
export class CompanyUsage {
  @Field(() => String, {
    description:
      "What it is: `storage`, the bytes of its files; `trail`, those of its audit trail; `idempotency_keys`, those of the " +
      "answers that are kept for keys on one day; `admins`, `clients`, `keys` and `webhooks`, how many there are, revoked keys left out; `streams`, those of the " +
      "progress of jobs that are open on the instance that answers; `waiting_jobs`, imports that are scheduled or queued.",
  })
  name!: string;

  @Field(() => SafeInt, { description: "How much the company has now." })
  used!: number;

  @Field(() => SafeInt, { nullable: true, description: "How much it may have; null without a limit." })
  limit!: number | null;
}
