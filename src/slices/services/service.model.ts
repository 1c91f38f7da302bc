import { Field, Int, ObjectType } from "type-graphql";
import { ToMany } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { ServiceCharge } from "./service-charge.model.js";

@ObjectType({ description: "A kind of service that fleets perform." })
export class Service extends NamedRow {
  @Field(() => Int, { description: "The company's own number for the kind of service." })
  type!: number;

  @Field(() => Boolean, { description: "Whether it is offered at present." })
  enabled!: boolean;

  @ToMany(() => ServiceCharge, {
    model: "ServiceCharge",
    foreignKey: "serviceId",
    order: [{ id: "asc" }],
    description: "Its charges, oldest first.",
  })
  serviceCharges!: ServiceCharge[];
}

export const serviceList = defineList(Service, "Service", {
  ...NAMED_FIELDS,
  type: { kind: "int", sortable: false },
  enabled: { kind: "boolean", sortable: false },
});
