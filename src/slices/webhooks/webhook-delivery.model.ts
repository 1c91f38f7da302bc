import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";

/** Messages that are delivered or dead are kept for so many days. */
export const DELIVERY_DAYS = 14;

export const WebhookDeliveryStatusEnum = defineEnum(
  "WebhookDeliveryStatus",
  ["pending", "delivered", "dead"],
  {
    description: "How far a message of a webhook is.",
    values: {
      pending: "It is to be sent, for the first time or again.",
      delivered: "The receiver has answered an attempt with a status of 200 to 299.",
      dead: "No attempt has succeeded within three days, or the author may not read it any more; `redeliver` tries again.",
    },
  },
);

@ObjectType({ description: "A message of a webhook, and how its last attempt went." })
export class WebhookDelivery {
  @Field(() => SafeInt, { description: "Identifier, unique among all of its type in all companies." })
  id!: bigint;

  companyId!: number;
  type!: string;
  action!: string;
  nextAt!: Date;

  @Field(() => Int, { description: "The webhook." })
  webhookId!: number;

  @Field(() => SafeInt, { description: "Id of the changed row; of the webhook for a test event." })
  entityId!: bigint;

  @Field(() => [String], { description: "The fields that changed, such as `priceE2`." })
  fields!: string[];

  @Field(() => DateTime, { description: "When the row changed." })
  at!: Date;

  @Field(() => WebhookDeliveryStatusEnum, { description: "How far it is." })
  status!: string;

  @Field(() => Int, { description: "How often it was sent since it was made or redelivered." })
  attempts!: number;

  @Field(() => DateTime, { nullable: true, description: "When the last attempt began." })
  attemptedAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: "The status of HTTP that the last attempt was answered with; null without an answer.",
  })
  responseStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description: "The first 1,024 bytes of the body of that answer.",
  })
  responseBody!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Why the last attempt failed, or the message was not sent; null when neither was so, and while one goes on.",
  })
  error!: string | null;

  @Field(() => DateTime, { description: "When it was made of the change." })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: "When it was delivered or given up." })
  finishedAt!: Date | null;
}

/** Messages of a webhook, the latest first. */
export const webhookDeliveryList = defineList(WebhookDelivery, "WebhookDelivery", {
  id: { kind: "safeInt" },
  status: { kind: "enum", enum: WebhookDeliveryStatusEnum, sortable: false },
});
