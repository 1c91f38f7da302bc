import { Field } from "type-graphql";
import { takenIndex } from "../db/taken-index.js";
import { DomainError } from "../errors/domain-error.js";
import { TextField } from "../inputs/input-fields.js";
import type { ListField } from "../lists/list-definition.js";

/** The unique rule of external ids, which goes for all tables. */
const EXTERNAL_ID_INDEX = "external_ids_company_id_external_id_key";

/** Field of a type for the id that the company's own systems know a row by. */
export const ExternalId = () =>
  Field(() => String, {
    nullable: true,
    description:
      "The id that the company's own systems know it by; of one of its type that is not deleted. Null: none.",
  });

/** Input field for the id that the company's own systems know a row by; the database refuses one that another row has. */
export const ExternalIdField = () =>
  TextField({
    description:
      "The id that the company's own systems know it by; rule `unique` while another one of its type has it.",
    nullable: true,
    min: 1,
    max: 64,
  });

/** The field of lists. */
export const EXTERNAL_ID_FIELDS: Readonly<Record<"externalId", ListField>> = {
  externalId: { kind: "externalId", nullable: true, sortable: false },
};

/** Returns whether a row was not written because another one of its type has its external id. */
export function isExternalIdTaken(error: unknown): boolean {
  return takenIndex(error) === EXTERNAL_ID_INDEX;
}

/**
 * Returns what brings a deleted row back, with its refusal where another row has its external id by now.
 *
 * @throws DomainError CONFLICT.
 */
export async function unlessExternalIdTaken<T>(restoring: Promise<T>): Promise<T> {
  try {
    return await restoring;
  } catch (error) {
    if (!isExternalIdTaken(error)) throw error;
    throw new DomainError("CONFLICT", "Another one has its external id by now.", {
      errors: [{ field: "externalId", rule: "unique", message: "is already taken" }],
    });
  }
}
