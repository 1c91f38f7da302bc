import { Prisma } from "../../generated/prisma/client.js";

const fieldsOf = new Map<string, ReadonlySet<string>>();

/** Returns the names of the model's fields that are columns. */
export function scalarFields(model: Prisma.ModelName): ReadonlySet<string> {
  let fields = fieldsOf.get(model);
  if (fields === undefined) {
    fields = new Set(Object.keys(Prisma[`${model}ScalarFieldEnum`]));
    fieldsOf.set(model, fields);
  }
  return fields;
}
