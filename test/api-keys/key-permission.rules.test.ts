import type { Access } from "../../src/core/access/access.js";
import type { AdminGrant } from "../../src/core/access/role-directory.js";
import { judgeKey } from "../../src/slices/api-keys/key-permission.rules.js";

const NOW = new Date("2026-03-01T12:00:00Z");
const KEY = { roles: ["can_edit_goods", "access_goods"], revokedAt: null, expiresAt: null };
const grant = (...roles: string[]): AdminGrant => ({ all: false, roles: new Set(roles) });
const NEEDS: Access = { kind: "permission", permission: "access_goods" };

it.each([
  ["a good one", {}, grant("access_goods"), "good", true],
  ["one that lost the role", {}, grant("can_edit_goods"), "good", false],
  ["a revoked one", { revokedAt: NOW }, null, "revoked", false],
  ["one that expires now", { expiresAt: NOW }, null, "expired", false],
  ["one that expires later", { expiresAt: new Date(NOW.getTime() + 1) }, grant("access_goods"), "good", true],
  ["one whose maker is gone", {}, null, "maker_gone", false],
] as const)("judges %s", (_what, state, held, expected, allowed) => {
  expect(judgeKey(NEEDS, { ...KEY, ...state }, held, NOW)).toMatchObject({ state: expected, allowed });
});

it("never lets a key do what is for people, for full administrators, for clients or for the platform", () => {
  const held = grant("access_goods", "can_edit_goods");
  const refused: Access[] = [
    { ...NEEDS, forPeople: true },
    { ...NEEDS, fullAdmins: true },
    { kind: "signedIn", ignoresKey: false, forPeople: true },
    { kind: "client" },
    { kind: "platform" },
  ];

  expect(refused.map((access) => judgeKey(access, KEY, held, NOW).allowed)).toEqual(refused.map(() => false));
  expect(judgeKey({ ...NEEDS, orAdmin: "adminId" }, KEY, grant(), NOW).allowed).toBe(false);
});
