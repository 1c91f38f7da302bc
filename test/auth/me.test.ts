import { allPermissions } from "../../src/core/access/permissions.js";
import { verifyAccessToken } from "../../src/core/access/tokens.js";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { refresh } from "./accounts.js";

const ME = "{ me { kind id companyId permissions admin { name } client { name } } }";
const ISSUE = `mutation ($companyId: Int!, $clientId: Int!) {
  issueClientToken(companyId: $companyId, clientId: $clientId) { accessToken refreshToken tokenType expiresIn }
}`;

describe("me", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("knows an admin and its permissions", async () => {
    const admin = await adminWith(gateway, company.id, "can_edit_coupons", "access_coupons");

    const { me } = dataOf(await admin.run(ME));

    expect(me).toMatchObject({
      kind: "admin",
      companyId: company.id,
      permissions: ["access_coupons", "can_edit_coupons"],
      admin: { name: "Admin" },
      client: null,
    });
  });

  it("gives an owner all permissions", async () => {
    const { me } = dataOf(await company.owner.run(ME));

    expect(me).toMatchObject({ id: company.ownerId, permissions: allPermissions().toSorted() });
  });

  it("knows a client and the platform", async () => {
    const { id, client } = await signedInClient(gateway, company.id);

    const asClient = dataOf(await client.run(ME))["me"];
    const asPlatform = dataOf(await gateway.platform.run(ME))["me"];

    expect(asClient).toMatchObject({
      kind: "client",
      id,
      companyId: company.id,
      permissions: [],
      admin: null,
    });
    expect(asClient.client.name).toMatch(/^Client /);
    expect(asPlatform).toMatchObject({
      kind: "platform",
      id: null,
      companyId: null,
      admin: null,
      client: null,
    });
  });

  it("knows nobody without a token", async () => {
    expect(errorCodes(await gateway.anonymous.run(ME))).toEqual(["UNAUTHENTICATED"]);
  });

  describe("issueClientToken", () => {
    it("gives the shop's server tokens of a client", async () => {
      const { id } = await signedInClient(gateway, company.id);
      const server = await adminWith(gateway, company.id, "can_issue_client_tokens");

      const tokens = dataOf(await server.run(ISSUE, { companyId: company.id, clientId: id }))[
        "issueClientToken"
      ];

      expect(tokens).toMatchObject({ tokenType: "Bearer", expiresIn: 900 });
      const principal = {
        kind: "client",
        id,
        companyId: company.id,
        sessionId: expect.any(String),
      };
      expect(await verifyAccessToken(gateway.keys, tokens.accessToken)).toEqual(principal);
      const refreshed = await refresh(gateway, tokens.refreshToken);
      expect(await verifyAccessToken(gateway.keys, refreshed.body.access_token)).toEqual(principal);
    });

    it("needs its own permission", async () => {
      const { id, client } = await signedInClient(gateway, company.id);
      const editor = await adminWith(gateway, company.id, "can_edit_clients");

      const results = [
        await editor.run(ISSUE, { companyId: company.id, clientId: id }),
        await client.run(ISSUE, { companyId: company.id, clientId: id }),
      ];

      expect(results.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
      expect(await gateway.db.refreshToken.count({ where: { companyId: company.id, subjectId: id } })).toBe(
        0,
      );
    });

    it("knows neither deleted clients nor those of another company", async () => {
      const other = await createCompany(gateway);
      const foreign = await signedInClient(gateway, other.id);
      const gone = await signedInClient(gateway, company.id);
      await gateway.db.client.updateMany({
        where: { companyId: company.id, id: gone.id },
        data: { deletedAt: new Date() },
      });

      const results = [
        await company.owner.run(ISSUE, { companyId: company.id, clientId: foreign.id }),
        await company.owner.run(ISSUE, { companyId: company.id, clientId: gone.id }),
      ];

      expect(results.map(errorCodes)).toEqual([["NOT_FOUND"], ["NOT_FOUND"]]);
    });
  });
});
