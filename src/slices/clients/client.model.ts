import { Field, Int, ObjectType } from "type-graphql";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { ClientAddress } from "../client-addresses/client-address.model.js";
import { BalanceHolder } from "../balance/balance.model.js";
import { CouponRedemption } from "../coupons/uses/coupon-use.model.js";
import { City } from "../shops/city.model.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";

@ObjectType({ description: "A customer of the company." })
export class Client extends NamedRow {
  @Field(() => String, {
    description: "An id that shows nothing of other clients, such as for a transfer to it.",
  })
  uuid!: string;

  @ExternalId()
  externalId!: string | null;

  @Field(() => String, { nullable: true, description: "E-mail address." })
  email!: string | null;

  @Field(() => String, { nullable: true, description: "Phone number." })
  phone!: string | null;

  @Field(() => Int, { nullable: true, description: "The city it lives in." })
  cityId!: number | null;

  @Field(() => DateTime, { description: "When it registered." })
  registeredAt!: Date;

  @Field(() => DateTime, { nullable: true, description: "When it was deleted; null unless it was." })
  deletedAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "When what was known of the person was erased; null unless it was.",
  })
  erasedAt!: Date | null;

  @ToOne(() => City, {
    model: "City",
    via: "cityId",
    openTo: "clients",
    description: "The city it lives in.",
  })
  city!: City | null;

  @ToMany(() => ClientAddress, {
    model: "ClientAddress",
    foreignKey: "clientId",
    order: [{ id: "desc" }],
    description: "Its addresses, newest first.",
  })
  addresses!: ClientAddress[];

  @ToMany(() => CouponRedemption, {
    model: "CouponRedemption",
    foreignKey: "clientId",
    order: [{ id: "desc" }],
    area: "coupons",
    description: "Its uses of coupons, those that were given back too, newest first.",
  })
  couponUses!: CouponRedemption[];

  @ToMany(() => BalanceHolder, {
    model: "BalanceHolder",
    foreignKey: "key",
    where: { type: "client" },
    order: [{ currencyIso: "asc" }],
    area: "balance",
    openTo: "itself",
    expectedRows: 1,
    description: "Its current balance in each currency that it has one in.",
  })
  balances!: BalanceHolder[];
}

export const clientList = defineList(
  Client,
  "Client",
  {
    ...NAMED_FIELDS,
    ...EXTERNAL_ID_FIELDS,
    email: { kind: "text", nullable: true },
    phone: { kind: "text", nullable: true },
    cityId: { kind: "int", nullable: true, sortable: false },
    registeredAt: { kind: "dateTime" },
    updatedAt: { kind: "dateTime", sortable: false },
  },
  { deletedRowsOf: "clients" },
);
