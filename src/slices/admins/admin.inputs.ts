import {
  EmailField,
  IdField,
  InputObject,
  partialInput,
  PasswordField,
  TextField,
} from "../../core/inputs/input-fields.js";
import { OWN_WORDS_NOTE } from "../auth/own-words.rules.js";
import { PERSON_NAME } from "./person-name.js";

@InputObject({ description: "An admin." })
export class CreateAdminInput {
  @TextField({ description: "Name of the person.", min: 1, max: 64, pattern: PERSON_NAME })
  name!: string;

  @EmailField({ description: "E-mail to sign in with, unique in the company in any case.", max: 254 })
  email!: string;

  @TextField({ description: "Phone number.", min: 9, max: 32 })
  phone!: string;

  @PasswordField({
    description: `Password; without one, the answer carries a token to set it. ${OWN_WORDS_NOTE}`,
    nullable: true,
  })
  password?: string | null;

  @IdField("City", { description: "The city it works in.", nullable: true })
  cityId?: number | null;

  @IdField("AdminType", {
    description:
      "Its admin type; the caller must hold all roles of it, or may assign it (`assignableTypeIds` of the caller's type): then the " +
      "person sets its password itself.",
    nullable: true,
  })
  adminTypeId?: number | null;
}

export const UpdateAdminInput = partialInput(CreateAdminInput, "UpdateAdminInput", {
  description: "Changes of an admin.",
  omit: ["email", "password", "adminTypeId"],
});
export type UpdateAdminInput = InstanceType<typeof UpdateAdminInput>;
