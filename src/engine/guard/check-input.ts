import type { JobContext } from "../../core/jobs/jobs.js";
import type { FinishedSchema } from "./finish-schema.js";

/** Checks inputs of updates outside of any request, as the guard does, without looking for the rows that they name. */
export function inputCheck({ operations }: FinishedSchema): JobContext["check"] {
  return (name, input) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    return operation.check({ companyId: 1, id: 1, input }).errors;
  };
}
