import { PASSWORD_LENGTH } from "../../core/access/passwords.js";
import {
  EmailField,
  InputObject,
  PasswordField,
  TextField,
  VerbatimField,
} from "../../core/inputs/input-fields.js";
import { OWN_WORDS_NOTE } from "./own-words.rules.js";

const MAX_TOKEN_LENGTH = 200;
const MAX_DEVICE_TOKEN_LENGTH = 500;

@InputObject({ description: "E-mail and password of an admin." })
export class LoginInput {
  @EmailField({ description: "The admin's e-mail, in any case.", max: 254 })
  email!: string;

  @VerbatimField({ description: "The admin's password.", min: 1, max: PASSWORD_LENGTH.max })
  password!: string;

  @TextField({
    description:
      "`domain` or host of the `customDomain` of the admin's company, in any case. Needed only by who has " +
      "the same e-mail and password in several companies, or the same e-mail in more than four.",
    nullable: true,
    max: 255,
  })
  domain?: string | null;

  @VerbatimField({
    description:
      "The code that the app for codes shows, or a recovery code; for an admin with a second factor, who else gets " +
      "SECOND_FACTOR_REQUIRED. Each code works once.",
    nullable: true,
    max: 64,
  })
  otp?: string | null;

  @VerbatimField({
    description:
      "The latest `deviceToken` that this device was given for the admin: others' wrong passwords do not shut the " +
      "admin out from it. One that is worth nothing is taken no notice of.",
    nullable: true,
    max: MAX_DEVICE_TOKEN_LENGTH,
  })
  deviceToken?: string | null;
}

@InputObject({ description: "A refresh token to trade for a new pair." })
export class RefreshTokenInput {
  @VerbatimField({ description: "The token of the latest answer; each works once.", max: MAX_TOKEN_LENGTH })
  refreshToken!: string;
}

@InputObject({ description: "Which login to end." })
export class LogoutInput {
  @VerbatimField({ description: "Any refresh token of the login.", max: MAX_TOKEN_LENGTH })
  refreshToken!: string;
}

@InputObject({ description: "A first or a new password." })
export class SetPasswordInput {
  @VerbatimField({ description: "The one-time token that came with the admin.", max: MAX_TOKEN_LENGTH })
  token!: string;

  @PasswordField({ description: `The password. ${OWN_WORDS_NOTE}` })
  password!: string;
}

@InputObject({ description: "The present password and the new one." })
export class ChangePasswordInput {
  @VerbatimField({ description: "The present password.", min: 1, max: PASSWORD_LENGTH.max })
  currentPassword!: string;

  @PasswordField({ description: `The new password. ${OWN_WORDS_NOTE}` })
  newPassword!: string;
}
