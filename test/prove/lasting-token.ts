import { createTokenKeys, issueAccessToken, type Principal } from "../../src/core/access/tokens.js";
import { SECRET } from "../bench/secret.js";

/** A token is used for so long; it ends after a quarter of an hour. */
const USED_MS = 5 * 60_000;

/** Returns what gives a caller a token, a new one from time to time, since proofs run for longer than one token lasts. */
export function lastingToken(principal: Principal): () => Promise<string> {
  const keys = createTokenKeys({ secret: SECRET });
  const issue = (): Promise<string> => issueAccessToken(keys, principal);
  let [issued, issuedAt] = [issue(), Date.now()];
  return () => {
    if (Date.now() > issuedAt + USED_MS) [issued, issuedAt] = [issue(), Date.now()];
    return issued;
  };
}
