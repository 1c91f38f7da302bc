import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { Service } from "./service.model.js";

@ObjectType({ description: "A named charge of a service." })
export class ServiceCharge extends NamedRow {
  @Field(() => Int, { description: "The service it is for." })
  serviceId!: number;

  @Field(() => Boolean, { description: "Whether it is charged at present." })
  enabled!: boolean;

  @ToOne(() => Service, {
    model: "Service",
    via: "serviceId",
    required: true,
    description: "The service it is for.",
  })
  service!: Service;
}

export const serviceChargeList = defineList(ServiceCharge, "ServiceCharge", {
  ...NAMED_FIELDS,
  serviceId: { kind: "int" },
  enabled: { kind: "boolean", sortable: false },
});
