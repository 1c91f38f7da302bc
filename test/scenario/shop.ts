import type { Step } from "./faces.js";

const ADDRESS = "id name geofenceCheck { isValid distanceInMeters geofence { name } }";

/** What it takes to make a shop out of nothing. */
export const SHOP = {
  createCompany: {
    query:
      "mutation ($input: CreateCompanyInput!) { result: createCompany(input: $input) { id passwordSetupToken } }",
    rest: ["POST", "/companies"],
  },
  setPassword: {
    query: "mutation ($input: SetPasswordInput!) { result: setPassword(input: $input) { id } }",
  },
  login: {
    query: "mutation ($input: LoginInput!) { result: login(input: $input) { accessToken } }",
    rest: ["POST", "/auth/login"],
  },
  updateSettings: {
    query: `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
      result: updateSettings(companyId: $companyId, input: $input) { slogan messengerAToken } }`,
    rest: ["PATCH", "/companies/{companyId}/settings"],
  },
  createAdminType: {
    query: `mutation ($companyId: Int!, $input: CreateAdminTypeInput!) {
      result: createAdminType(companyId: $companyId, input: $input) { id } }`,
    rest: ["POST", "/companies/{companyId}/admin-types"],
  },
  createAdmin: {
    query: `mutation ($companyId: Int!, $input: CreateAdminInput!) {
      result: createAdmin(companyId: $companyId, input: $input) { id passwordSetupToken } }`,
    rest: ["POST", "/companies/{companyId}/admins"],
  },
  admins: {
    query: "query ($companyId: Int!) { result: admins(companyId: $companyId) { nodes { id } } }",
    rest: ["GET", "/companies/{companyId}/admins"],
  },
  me: { query: "{ result: me { permissions } }" },
  createBranchGroup: {
    query: `mutation ($companyId: Int!, $input: CreateBranchGroupInput!) {
      result: createBranchGroup(companyId: $companyId, input: $input) { id } }`,
  },
  createBranch: {
    query: `mutation ($companyId: Int!, $input: CreateBranchInput!) {
      result: createBranch(companyId: $companyId, input: $input) { id openingHours } }`,
  },
  dayTime: {
    query: `query ($companyId: Int!, $branchId: Int!) {
      result: dayTime(companyId: $companyId, branchId: $branchId) { timezone isOpen } }`,
    rest: ["GET", "/companies/{companyId}/branches/{branchId}/day-time"],
  },
  createGeofence: {
    query: `mutation ($companyId: Int!, $input: CreateGeofenceInput!) {
      result: createGeofence(companyId: $companyId, input: $input) { id } }`,
  },
  createGood: {
    query: `mutation ($companyId: Int!, $input: CreateGoodInput!) {
      result: createGood(companyId: $companyId, input: $input) { id name priceE2 } }`,
    rest: ["POST", "/companies/{companyId}/goods"],
  },
  goods: {
    query: "query ($companyId: Int!) { result: goods(companyId: $companyId) { nodes { id name priceE2 } } }",
    rest: ["GET", "/companies/{companyId}/goods"],
  },
  createClient: {
    query: `mutation ($companyId: Int!, $input: CreateClientInput!) {
      result: createClient(companyId: $companyId, input: $input) { id } }`,
  },
  issueClientToken: {
    query: `mutation ($companyId: Int!, $clientId: Int!) {
      result: issueClientToken(companyId: $companyId, clientId: $clientId) { accessToken } }`,
  },
  createClientAddress: {
    query: `mutation ($companyId: Int!, $clientId: Int!, $input: CreateClientAddressInput!) {
      result: createClientAddress(companyId: $companyId, clientId: $clientId, input: $input) { ${ADDRESS} } }`,
    rest: ["POST", "/companies/{companyId}/clients/{clientId}/client-addresses"],
  },
  missingAddresses: {
    query: `query ($companyId: Int!) { result: missingClientAddresses(companyId: $companyId) { nodes { ${ADDRESS} } } }`,
    rest: ["GET", "/companies/{companyId}/client-addresses"],
  },
  trail: {
    query: `query ($companyId: Int!) {
      result: auditEntries(companyId: $companyId, first: 200, orderBy: [{ field: ID }]) {
        nodes { operation action targetType actorKind adminId clientId changes { field after } } } }`,
  },
} satisfies Record<string, Step>;
