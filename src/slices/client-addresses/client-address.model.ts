import { Field, Int, ObjectType } from "type-graphql";
import type { Row } from "../../core/db/db.js";
import { defineEnum } from "../../core/enums.js";
import { defineList } from "../../core/lists/list-definition.js";
import { ToOne } from "../../core/relations/relations.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { Client } from "../clients/client.model.js";

type ClientAddressRow = Row<"ClientAddress">;

/** A client has at most this many addresses. */
export const MOST_ADDRESSES = 200;

const DELIVERY = "Where goods are brought to; it has coordinates.";
const SHIPPING = "Where parcels are sent to; it has all lines.";

/** What an address can be made for. */
export const ClientAddressKindEnum = defineEnum("ClientAddressKind", ["delivery", "shipping"], {
  description: "What an address is made for.",
  values: { delivery: DELIVERY, shipping: SHIPPING },
});

export const ClientAddressTypeEnum = defineEnum("ClientAddressType", ["delivery", "shipping", "legacy"], {
  description: "What an address is for.",
  values: {
    delivery: DELIVERY,
    shipping: SHIPPING,
    legacy: "From before there were types; no new address gets this.",
  },
});

@ObjectType({
  description: "An address of a client. It is private: the client itself alone sees and changes it.",
})
export class ClientAddress extends NamedRow {
  @Field(() => Int, { description: "Whose address it is." })
  clientId!: number;

  @Field(() => ClientAddressTypeEnum, {
    nullable: true,
    description: "What it is for; null: nothing was said.",
  })
  type!: string | null;

  @Field(() => String, {
    description: "The whole address in one line; put together from its parts when it was not given.",
  })
  address!: string;

  @Field(() => String, { nullable: true, description: "First line." })
  addressLine1!: string | null;

  @Field(() => String, { nullable: true, description: "Second line." })
  addressLine2!: string | null;

  @Field(() => String, { nullable: true, description: "Third line." })
  addressLine3!: string | null;

  @Field(() => String, { nullable: true, description: "How to find it, such as `next to the pharmacy`." })
  reference!: string | null;

  @Field(() => Int, { nullable: true, description: "Latitude in millionths of a degree." })
  latitudeE6!: number | null;

  @Field(() => Int, { nullable: true, description: "Longitude in millionths of a degree." })
  longitudeE6!: number | null;

  @Field(() => String, { description: "Country; empty when not given." })
  country!: string;

  @Field(() => String, { description: "State; empty when not given." })
  state!: string;

  @Field(() => String, { description: "City; empty when not given." })
  city!: string;

  @Field(() => String, { description: "Postal code; empty when not given." })
  postalCode!: string;

  @Field(() => Boolean, { description: "Whether the client has chosen it; at most one of its addresses is." })
  isSelected!: boolean;

  @ToOne(() => Client, {
    model: "Client",
    via: "clientId",
    required: true,
    description: "Whose address it is.",
  })
  client!: Client;
}

/** An address as it is read from the database. */
export type { ClientAddressRow };

export const clientAddressList = defineList(ClientAddress, "ClientAddress", {
  ...NAMED_FIELDS,
  type: { kind: "enum", enum: ClientAddressTypeEnum, nullable: true },
  isSelected: { kind: "boolean" },
});
