import {
  BooleanField,
  ChoiceField,
  InputField,
  InputObject,
  ObjectField,
} from "../../core/inputs/input-fields.js";
import { OnOffEnum } from "./admin-settings.model.js";

type OnOff = keyof typeof OnOffEnum;

@InputObject({ description: "Which notifications make a sound; those that are not named stay." })
export class AudibleNotificationsInput {
  @ChoiceField(OnOffEnum, { description: "A branch goes into service.", optional: true })
  branchInService?: OnOff;

  @ChoiceField(OnOffEnum, { description: "A new order.", optional: true })
  orderNew?: OnOff;

  @ChoiceField(OnOffEnum, { description: "A new payment.", optional: true })
  paymentNew?: OnOff;

  @ChoiceField(OnOffEnum, { description: "An order is being prepared.", optional: true })
  orderBeingPrepared?: OnOff;

  @ChoiceField(OnOffEnum, { description: "An order was accepted.", optional: true })
  orderAccepted?: OnOff;

  @ChoiceField(OnOffEnum, { description: "An order is prepared.", optional: true })
  orderPrepared?: OnOff;

  @ChoiceField(OnOffEnum, { description: "The deliverer has arrived.", optional: true })
  liverArrived?: OnOff;

  @ChoiceField(OnOffEnum, { description: "The deliverer is at the shop.", optional: true })
  liverInCommerce?: OnOff;

  @ChoiceField(OnOffEnum, { description: "The deliverer is on the way.", optional: true })
  liverOnTheWay?: OnOff;

  @ChoiceField(OnOffEnum, { description: "An order has arrived.", optional: true })
  orderArrived?: OnOff;

  @ChoiceField(OnOffEnum, { description: "An order was delivered.", optional: true })
  orderDelivered?: OnOff;

  @ChoiceField(OnOffEnum, { description: "An order was canceled.", optional: true })
  orderCanceled?: OnOff;
}

@InputObject({ description: "Preferences of an admin's interface." })
export class AdminPreferencesInput {
  @ObjectField(() => AudibleNotificationsInput, {
    description: "Which notifications make a sound.",
    optional: true,
  })
  audibleNotifications?: AudibleNotificationsInput;
}

@InputObject({ description: "Settings of an admin; those that are not named stay." })
export class UpdateAdminSettingsInput {
  @BooleanField({ description: "Whether it gets SMS at all.", optional: true })
  enableSms?: boolean;

  @BooleanField({ description: "SMS when an order is created.", optional: true })
  enableOrderCreatedSms?: boolean;

  @BooleanField({ description: "SMS when a payment is registered.", optional: true })
  enablePaymentRegisteredSms?: boolean;

  @BooleanField({ description: "SMS when a manual payment is reported.", optional: true })
  enableManualPaymentReportedSms?: boolean;

  @BooleanField({ description: "SMS when an order is canceled.", optional: true })
  enableOrderCanceledSms?: boolean;

  @BooleanField({ description: "SMS of support.", optional: true })
  enableSupportSms?: boolean;

  @BooleanField({ description: "Rates in messenger A.", optional: true })
  enableMessengerARates?: boolean;

  @BooleanField({ description: "Orders in messenger A.", optional: true })
  enableMessengerAOrders?: boolean;

  @BooleanField({ description: "Reminders in messenger A.", optional: true })
  enableMessengerAReminders?: boolean;

  @BooleanField({ description: "Alerts in messenger A.", optional: true })
  enableMessengerAAlerts?: boolean;

  @InputField(
    () => [AdminPreferencesInput],
    {
      description:
        "Preferences, merged one after the other into those that are stored. One object stands for a list of one.",
      optional: true,
    },
    { takesOne: true },
  )
  preferences?: AdminPreferencesInput[];
}
