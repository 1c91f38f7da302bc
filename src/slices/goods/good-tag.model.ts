import { ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A tag that goods may carry, such as vegan." })
export class GoodTag extends NamedRow {}

export const goodTagList = defineList(GoodTag, "GoodTag", NAMED_FIELDS);
