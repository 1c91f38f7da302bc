import { codeOf, stepAt } from "../../src/slices/auth/totp.rules.js";
import { type Client, dataOf, type Gateway } from "../support/gateway.js";
import { type Account, login, PASSWORD } from "./accounts.js";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const ENROL = "mutation { enrolTotp { secret uri } }";
export const CONFIRM = "mutation ($code: String!) { confirmTotp(code: $code) { recoveryCodes } }";
export const DISABLE = "mutation ($code: String!) { disableTotp(code: $code) }";

/** Returns the code of a secret in base32 now, or some periods of 30 seconds later. */
export function codeNow(secret: string, later = 0): string {
  const bits = [...secret].map((digit) => DIGITS.indexOf(digit).toString(2).padStart(5, "0")).join("");
  const bytes = (bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2));
  return codeOf(Uint8Array.from(bytes), stepAt(new Date()) + later);
}

/** Signs an admin in, and gives it a second factor. */
export async function enrolled(
  gateway: Gateway,
  { email }: Account,
): Promise<{ client: Client; secret: string; recoveryCodes: string[] }> {
  const { body } = await login(gateway, { email, password: PASSWORD });
  const client = gateway.withToken(body.access_token as string);
  const { secret } = dataOf(await client.run(ENROL))["enrolTotp"] as { secret: string };
  const { recoveryCodes } = dataOf(await client.run(CONFIRM, { code: codeNow(secret) }))["confirmTotp"] as {
    recoveryCodes: string[];
  };
  return { client, secret, recoveryCodes };
}
