import { judgeAccess } from "../../src/slices/admins/permission-explanation.rules.js";

const permission = "can_edit_goods";
const NOTHING = { isOwner: false, isFullAdmin: false, roles: [] };
const TYPE = { ...NOTHING, roles: [permission] };
const FULL = { ...NOTHING, isFullAdmin: true };
const OWNER = { isOwner: true, isFullAdmin: true, roles: [permission] };

describe("an operation that needs a permission", () => {
  it.each([
    [NOTHING, false, null],
    [{ ...NOTHING, roles: ["access_goods"] }, false, null],
    [TYPE, true, "type"],
    [FULL, true, "full_administrator"],
    [OWNER, true, "owner"],
  ])("is judged for %o: %p", (held, allowed, heldBy) => {
    expect(judgeAccess({ kind: "permission", permission }, held)).toEqual({
      access: "permission",
      allowed,
      permission,
      isAllowedForItself: false,
      heldBy,
      missing: allowed ? [] : [permission],
    });
  });

  it.each([
    [NOTHING, false, null],
    [TYPE, false, "type"],
    [FULL, true, "full_administrator"],
    [OWNER, true, "owner"],
  ])("is for full administrators alone where it says so: %o, %p", (held, allowed, heldBy) => {
    expect(judgeAccess({ kind: "permission", permission, fullAdmins: true }, held)).toMatchObject({
      access: "full_administrator",
      allowed,
      heldBy,
    });
  });

  it("says that an admin itself needs none", () => {
    const access = { kind: "permission", permission, orAdmin: "adminId" } as const;

    expect(judgeAccess(access, NOTHING)).toMatchObject({ allowed: false, isAllowedForItself: true });
    expect(judgeAccess({ ...access, fullAdmins: false }, TYPE).access).toBe("permission");
  });
});

it("asks for full administrators by their mark alone", () => {
  const shown = (fullAdmins?: boolean) =>
    judgeAccess({ kind: "permission", permission, ...(fullAdmins !== undefined && { fullAdmins }) }, TYPE);

  expect([shown(true).access, shown(false).access, shown().access]).toEqual([
    "full_administrator",
    "permission",
    "permission",
  ]);
});

it.each([
  [{ kind: "open", ignoresToken: false }, true, "open"],
  [{ kind: "signedIn", ignoresKey: false }, true, "signed_in"],
  [{ kind: "platform" }, false, "platform"],
  [{ kind: "client" }, false, "client"],
] as const)("judges %o, which asks for no permission", (access, allowed, shown) => {
  expect(judgeAccess(access, OWNER)).toEqual({
    access: shown,
    allowed,
    permission: null,
    isAllowedForItself: false,
    heldBy: null,
    missing: [],
  });
});
