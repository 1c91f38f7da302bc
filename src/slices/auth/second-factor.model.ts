import { Field, ObjectType } from "type-graphql";

@ObjectType({ description: "A new secret for one-time codes (RFC 6238: SHA-1, 6 digits, 30 seconds)." })
export class TotpEnrolment {
  @Field(() => String, {
    description: "The secret in base32, to be typed into an app for codes. Answered once.",
  })
  secret!: string;

  @Field(() => String, {
    description:
      "`otpauth://totp/…` with the secret, to be shown as a QR code. Its account is the admin's e-mail.",
  })
  uri!: string;
}

@ObjectType({ description: "What an admin keeps for the day that it has lost its second factor." })
export class RecoveryCodes {
  @Field(() => [String], {
    description:
      "Ten codes, each of which works once in the place of a one-time code, such as `gayt-emzu-gu3d-oobz`. Answered once.",
  })
  recoveryCodes!: string[];
}
