import { Field, ObjectType } from "type-graphql";

@ObjectType({ description: "Which notifications make a sound: `on` or `off` for each." })
export class AudibleNotifications {
  @Field(() => String, { description: "A branch goes into service." })
  branchInService!: string;

  @Field(() => String, { description: "A new order." })
  orderNew!: string;

  @Field(() => String, { description: "A new payment." })
  paymentNew!: string;

  @Field(() => String, { description: "An order is being prepared." })
  orderBeingPrepared!: string;

  @Field(() => String, { description: "An order was accepted." })
  orderAccepted!: string;

  @Field(() => String, { description: "An order is prepared." })
  orderPrepared!: string;

  @Field(() => String, { description: "The deliverer has arrived." })
  liverArrived!: string;

  @Field(() => String, { description: "The deliverer is at the shop." })
  liverInCommerce!: string;

  @Field(() => String, { description: "The deliverer is on the way." })
  liverOnTheWay!: string;

  @Field(() => String, { description: "An order has arrived." })
  orderArrived!: string;

  @Field(() => String, { description: "An order was delivered." })
  orderDelivered!: string;

  @Field(() => String, { description: "An order was canceled." })
  orderCanceled!: string;
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
