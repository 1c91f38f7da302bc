import { Field, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";

export const OnOffEnum = defineEnum("OnOff", ["on", "off"], {
  description: "Whether something is on.",
  values: { on: "It is on.", off: "It is off." },
});
type OnOff = keyof typeof OnOffEnum;

@ObjectType({ description: "Which notifications make a sound: `on` or `off` for each." })
export class AudibleNotifications {
  @Field(() => OnOffEnum, { description: "A branch goes into service." })
  branchInService!: OnOff;

  @Field(() => OnOffEnum, { description: "A new order." })
  orderNew!: OnOff;

  @Field(() => OnOffEnum, { description: "A new payment." })
  paymentNew!: OnOff;

  @Field(() => OnOffEnum, { description: "An order is being prepared." })
  orderBeingPrepared!: OnOff;

  @Field(() => OnOffEnum, { description: "An order was accepted." })
  orderAccepted!: OnOff;

  @Field(() => OnOffEnum, { description: "An order is prepared." })
  orderPrepared!: OnOff;

  @Field(() => OnOffEnum, { description: "The deliverer has arrived." })
  liverArrived!: OnOff;

  @Field(() => OnOffEnum, { description: "The deliverer is at the shop." })
  liverInCommerce!: OnOff;

  @Field(() => OnOffEnum, { description: "The deliverer is on the way." })
  liverOnTheWay!: OnOff;

  @Field(() => OnOffEnum, { description: "An order has arrived." })
  orderArrived!: OnOff;

  @Field(() => OnOffEnum, { description: "An order was delivered." })
  orderDelivered!: OnOff;

  @Field(() => OnOffEnum, { description: "An order was canceled." })
  orderCanceled!: OnOff;
}

@ObjectType({ description: "Preferences of an admin's interface." })
export class AdminPreferences {
  @Field(() => AudibleNotifications, { description: "Which notifications make a sound; all unless set." })
  audibleNotifications!: AudibleNotifications;
}

@ObjectType({ description: "Settings of an admin; switches that were never set are off." })
export class AdminSettings {
  @Field(() => Boolean, { description: "Whether it gets SMS at all." })
  enableSms!: boolean;

  @Field(() => Boolean, { description: "SMS when an order is created." })
  enableOrderCreatedSms!: boolean;

  @Field(() => Boolean, { description: "SMS when a payment is registered." })
  enablePaymentRegisteredSms!: boolean;

  @Field(() => Boolean, { description: "SMS when a manual payment is reported." })
  enableManualPaymentReportedSms!: boolean;

  @Field(() => Boolean, { description: "SMS when an order is canceled." })
  enableOrderCanceledSms!: boolean;

  @Field(() => Boolean, { description: "SMS of support." })
  enableSupportSms!: boolean;

  @Field(() => Boolean, { description: "Rates in messenger A." })
  enableMessengerARates!: boolean;

  @Field(() => Boolean, { description: "Orders in messenger A." })
  enableMessengerAOrders!: boolean;

  @Field(() => Boolean, { description: "Reminders in messenger A." })
  enableMessengerAReminders!: boolean;

  @Field(() => Boolean, { description: "Alerts in messenger A." })
  enableMessengerAAlerts!: boolean;

  @Field(() => AdminPreferences, { description: "Preferences of its interface." })
  preferences!: AdminPreferences;
}
