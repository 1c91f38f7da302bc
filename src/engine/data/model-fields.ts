import { Prisma } from "../../generated/prisma/client.js";

const fieldsOf = new Map<string, ReadonlySet<string>>();

/** Names of the fields of a model that are columns. */
export function scalarFields(model: Prisma.ModelName): ReadonlySet<string> {
  let fields = fieldsOf.get(model);
  if (fields === undefined) {
    fields = new Set(Object.keys(Prisma[`${model}ScalarFieldEnum`]));
    fieldsOf.set(model, fields);
  }
  return fields;
}
