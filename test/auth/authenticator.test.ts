import { Authenticator } from "../../src/engine/request/authenticate.js";
import { createTokenKeys, issueAccessToken, type Principal } from "../../src/core/access/tokens.js";

const ADMIN: Principal = { kind: "admin", id: 7, companyId: 3 };
const keys = createTokenKeys({ secret: "an-hs256-secret-of-some-40-characters-xx" });

describe("the authenticator", () => {
  afterEach(() => jest.useRealTimers());

  it("knows a token again, and nobody by none or a broken one", async () => {
    const authenticator = new Authenticator(keys);
    const header = `Bearer ${await issueAccessToken(keys, ADMIN)}`;

    expect(await authenticator.callerOf(header)).toEqual(ADMIN);
    expect(await authenticator.callerOf(header)).toEqual(ADMIN);
    expect(await authenticator.callerOf(undefined)).toEqual({ kind: "anonymous" });
    expect(await authenticator.callerOf(`${header}x`)).toEqual({ kind: "invalid" });
    expect(await authenticator.callerOf("Basic eDp5")).toEqual({ kind: "invalid" });
  });

  it("never remembers a token past its end", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
    const authenticator = new Authenticator(keys);
    // The token is valid for fifteen minutes, so half a second of it is left.
    const header = `Bearer ${await issueAccessToken(keys, ADMIN, new Date(Date.now() - 15 * 60_000 + 1_500))}`;
    expect(await authenticator.callerOf(header)).toEqual(ADMIN);

    jest.advanceTimersByTime(2_500);

    expect(await authenticator.callerOf(header)).toEqual({ kind: "invalid" });
  });
});
