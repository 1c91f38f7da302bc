import { createMachineKey, readMachineKey } from "../../src/core/access/machine-keys.js";
import type { KnownKey } from "../../src/core/access/role-directory.js";
import { Authenticator, expiryOf, type KeyBook } from "../../src/engine/request/authenticate.js";
import { createTokenKeys, issueAccessToken, type Principal } from "../../src/core/access/tokens.js";

const ADMIN: Principal = { kind: "admin", id: 7, companyId: 3 };
const HERE = "192.0.2.7";
const KEY: KnownKey = {
  id: 5,
  companyId: 3,
  makerId: 7,
  networks: [],
  grant: { all: false, roles: new Set() },
  mayComeFrom: (address) => address === HERE,
};
const used: number[] = [];
const text = createMachineKey(3).key;
const BOOK: KeyBook = {
  findKey: ({ companyId, secretHash }) =>
    Promise.resolve(companyId === 3 && secretHash === readMachineKey(text)?.secretHash ? KEY : null),
  noteUse: ({ id }) => void used.push(id),
};
const keys = createTokenKeys({ secret: "an-hs256-secret-of-some-40-characters-xx" });

describe("the authenticator", () => {
  afterEach(() => jest.useRealTimers());

  it("knows a token again, and nobody by none or a broken one", async () => {
    const authenticator = new Authenticator(keys, BOOK);
    const header = `Bearer ${await issueAccessToken(keys, ADMIN)}`;

    expect(await authenticator.callerOf(header, HERE)).toEqual(ADMIN);
    expect(await authenticator.callerOf(header, HERE)).toEqual(ADMIN);
    expect(await authenticator.callerOf(undefined, HERE)).toEqual({ kind: "anonymous" });
    expect(await authenticator.callerOf(`${header}x`, HERE)).toEqual({ kind: "invalid" });
    expect(await authenticator.callerOf("Basic eDp5", HERE)).toEqual({ kind: "invalid" });
  });

  it("never remembers a token past its end", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
    const authenticator = new Authenticator(keys, BOOK);
    // The token is valid for fifteen minutes, so half a second of it is left.
    const header = `Bearer ${await issueAccessToken(keys, ADMIN, new Date(Date.now() - 15 * 60_000 + 1_500))}`;
    expect(await authenticator.callerOf(header, HERE)).toEqual(ADMIN);

    jest.advanceTimersByTime(2_500);

    expect(await authenticator.callerOf(header, HERE)).toEqual({ kind: "invalid" });
  });

  it("knows a key by its hash, says whether it comes from elsewhere, and notes uses from where it may", async () => {
    const authenticator = new Authenticator(keys, BOOK);
    const caller = {
      kind: "key",
      id: 5,
      companyId: 3,
      makerId: 7,
      secretHash: readMachineKey(text)?.secretHash,
    };

    expect(await authenticator.callerOf(`Bearer ${text}`, HERE)).toEqual({ ...caller, isElsewhere: false });
    expect(await authenticator.callerOf(`Bearer ${text}`, "192.0.2.8")).toEqual({
      ...caller,
      isElsewhere: true,
    });
    expect(await authenticator.callerOf(`Bearer ${createMachineKey(3).key}`, HERE)).toEqual({
      kind: "invalid",
    });
    expect(used).toEqual([5]);
  });

  it("lets a stream by a key last as long as one by a new token", async () => {
    const now = Date.now();

    expect(expiryOf(`Bearer ${text}`) - now).toBeGreaterThanOrEqual(15 * 60_000);
    expect(expiryOf(`Bearer ${await issueAccessToken(keys, ADMIN)}`) - now).toBeGreaterThan(14 * 60_000);
  });
});
