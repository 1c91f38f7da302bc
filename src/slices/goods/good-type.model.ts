import { ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A class of goods, such as drinks." })
export class GoodType extends NamedRow {}

export const goodTypeList = defineList(GoodType, "GoodType", NAMED_FIELDS);
