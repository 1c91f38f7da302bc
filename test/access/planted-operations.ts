import { inSnakeCase } from "../../src/api/rest/naming.js";
import { unique } from "../support/factories.js";
import type { Marks } from "./marks.js";

/** An operation that is sent something that nobody else may ever see. */
export interface Planted {
  readonly name: string;
  readonly by: string | null;
  readonly query: string;
  readonly rest?: readonly [method: "POST" | "PATCH", path: string];
  readonly input: () => object;
  /** What the answers may tell, besides nothing. */
  readonly tells?: RegExp | null;
}

interface Place {
  readonly companyId: number;
  readonly clientId: number;
  readonly addressId: number;
  /** Access tokens. */
  readonly owner: string;
  readonly platform: string;
  readonly client: string;
  readonly marks: Marks;
}

/** The operations that are sent such values, with marks for all of them. */
export function plantedOperations({
  companyId: c,
  clientId,
  addressId,
  owner,
  platform,
  client,
  marks,
}: Place) {
  const admin = () => ({ name: "Ana", email: `${unique()}@example.com`, phone: "+15550100123" });
  const address = {
    name: marks.text("address name"),
    type: "delivery",
    latitudeE6: marks.number("address latitude", 89_000_000),
    longitudeE6: -marks.number("address longitude", 179_000_000),
    country: marks.text("address country"),
    postalCode: marks.text("address postal code", 16),
    state: marks.text("address state"),
    city: marks.text("address city"),
    address: marks.text("address in one line"),
    addressLine1: marks.text("address line 1"),
    addressLine2: marks.text("address line 2"),
    addressLine3: marks.text("address line 3"),
    reference: marks.text("address reference"),
  };
  const own = { by: client, tells: /^address/u };
  return {
    createCompany: {
      name: "createCompany",
      by: platform,
      rest: ["POST", "/companies"],
      query:
        "mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id email passwordSetupToken } }",
      input: () => ({
        company: {
          name: unique(),
          domain: `${unique()}.example`,
          email: "a@b.example",
          folderName: unique(),
        },
        user: { ...admin(), password: marks.text("password of an owner") },
      }),
    },
    createAdmin: {
      name: "createAdmin",
      by: owner,
      rest: ["POST", `/companies/${c}/admins`],
      query: `mutation ($input: CreateAdminInput!) { createAdmin(companyId: ${c}, input: $input) { id email passwordSetupToken } }`,
      input: () => ({ ...admin(), password: marks.text("password of an admin") }),
    },
    updateSettings: {
      name: "updateSettings",
      by: owner,
      rest: ["PATCH", `/companies/${c}/settings`],
      query: `mutation ($input: UpdateSettingsInput!) { updateSettings(companyId: ${c}, input: $input) {
        messengerAToken messengerBMessagingToken partnerAccountJson socketteKeys bankSettings } }`,
      input: () => ({
        messengerAToken: marks.text("secret of messenger A"),
        messengerBMessagingToken: marks.text("secret of messenger B"),
        partnerAccountJson: [{ account: { key: marks.text("secret of a partner") } }],
        socketteKeys: [marks.text("secret key")],
        bankSettings: { acme_settings: [{ deep: [marks.text("secret of a bank")] }] },
      }),
    },
    login: {
      name: "login",
      by: null,
      rest: ["POST", "/auth/login"],
      query:
        "mutation ($input: LoginInput!) { login(input: $input) { accessToken refreshToken deviceToken } }",
      input: () => ({
        email: `${unique()}@example.com`,
        password: marks.text("password of nobody"),
        deviceToken: marks.text("token of a device"),
      }),
    },
    refreshToken: {
      name: "refreshToken",
      by: null,
      rest: ["POST", "/auth/refresh"],
      query:
        "mutation ($input: RefreshTokenInput!) { refreshToken(input: $input) { accessToken refreshToken deviceToken } }",
      input: () => ({ refreshToken: `${c}.${marks.text("token to refresh", 43)}` }),
    },
    logout: {
      name: "logout",
      by: null,
      rest: ["POST", "/auth/logout"],
      query: "mutation ($input: LogoutInput!) { logout(input: $input) }",
      input: () => ({ refreshToken: `${c}.${marks.text("token to end", 43)}` }),
    },
    setPassword: {
      name: "setPassword",
      by: null,
      query: "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id email } }",
      input: () => ({
        token: `${c}.${marks.text("token of an invitation", 43)}`,
        password: marks.text("password set"),
      }),
    },
    changePassword: {
      name: "changePassword",
      by: owner,
      query: "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { id } }",
      input: () => ({
        currentPassword: marks.text("password guessed"),
        newPassword: marks.text("password changed"),
      }),
    },
    createClientAddress: {
      name: "createClientAddress",
      ...own,
      rest: ["POST", `/companies/${c}/clients/${clientId}/client-addresses`],
      query: `mutation ($input: CreateClientAddressInput!) {
        createClientAddress(companyId: ${c}, clientId: ${clientId}, input: $input) { id name latitudeE6 addressLine1 } }`,
      input: () => address,
    },
    updateClientAddress: {
      name: "updateClientAddress",
      ...own,
      rest: ["PATCH", `/companies/${c}/client-addresses/${addressId}`],
      query: `mutation ($input: UpdateClientAddressInput!) {
        updateClientAddress(companyId: ${c}, id: ${addressId}, input: $input) { id name latitudeE6 addressLine1 } }`,
      input: () => address,
    },
  } satisfies Record<string, Planted>;
}

/** Returns the body of an input over REST, where settings of banks stand among the others. */
export function restBody(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const { bankSettings = {}, ...others } = input as Record<string, unknown>;
  return { ...(inSnakeCase(others) as object), ...(bankSettings as object) };
}
