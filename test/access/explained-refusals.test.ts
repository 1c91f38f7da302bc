import {
  adminWith,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { type Client, type Gateway, startGateway } from "../support/gateway.js";

/** Every 403 names what its caller lacks, on both faces. */
describe("a refusal for want of a permission", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let plain: Client;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    plain = await adminWith(gateway, company.id);
  });
  afterAll(() => gateway.close());

  const extensionsOf = async (by: Client, document: string) =>
    (await by.run(document, { c: company.id })).errors?.map(({ message, extensions }) => ({
      message,
      ...extensions,
    }));

  it("names the permission of an operation", async () => {
    const rest = await plain.rest("GET", `/companies/${company.id}/coupons`);
    const graphql = await extensionsOf(plain, "query ($c: Int!) { coupons(companyId: $c) { nodes { id } } }");

    expect(rest).toMatchObject({
      status: 403,
      body: { detail: "This needs the permission access_coupons.", permission: "access_coupons" },
    });
    expect(graphql).toEqual([
      {
        message: "This needs the permission access_coupons.",
        code: "FORBIDDEN",
        status: 403,
        permission: "access_coupons",
      },
    ]);
  });

  it("names the permission of a relation, and of what is loaded", async () => {
    const reader = await adminWith(gateway, company.id, "access_admins");
    await gateway.db.admin.updateMany({
      where: { companyId: company.id, id: company.ownerId },
      data: {
        adminTypeId: (await gateway.db.adminType.findFirstOrThrow({ where: { companyId: company.id } })).id,
      },
    });
    const document = `query ($c: Int!) { admin(companyId: $c, id: ${company.ownerId}) { adminType { id } } }`;

    const rest = await reader.rest("GET", `/companies/${company.id}/admins?load=admin_type`);
    const graphql = await extensionsOf(reader, document);

    expect([rest.status, rest.body.permission]).toEqual([403, "access_admin_types"]);
    expect(graphql).toMatchObject([{ code: "FORBIDDEN", permission: "access_admin_types" }]);
  });

  it("names the permission of deleted rows and of a field for readers", async () => {
    const { id } = await createGood(gateway, company.id);

    const rest = await plain.rest("GET", `/companies/${company.id}/goods/${id}?with_deleted=true`);
    const graphql = await extensionsOf(plain, "query ($c: Int!) { company(companyId: $c) { customJson } }");

    expect([rest.status, rest.body.permission]).toEqual([403, "access_goods"]);
    expect(graphql).toMatchObject([{ code: "FORBIDDEN", permission: "access_company" }]);
  });

  it("names the kind of caller that alone may", async () => {
    const { client, id } = await signedInClient(gateway, company.id);
    const plainWithClients = await adminWith(gateway, company.id, "access_clients");
    const shake = `/companies/${company.id}/events/shake`;

    const answers = [
      await plain.rest("GET", "/companies"),
      await gateway.platform.rest("GET", shake),
      await plain.rest("GET", shake),
      await client.rest("GET", `/companies/${company.id}/admins`),
    ];
    const addresses = await extensionsOf(
      plainWithClients,
      `query ($c: Int!) { client(companyId: $c, id: ${id}) { addresses { id } } }`,
    );

    expect(answers.map(({ status, body }) => [status, body.principal, body.permission])).toEqual([
      [403, "platform", undefined],
      [403, "client", undefined],
      [403, "client", undefined],
      [403, undefined, "access_admins"],
    ]);
    expect(addresses).toMatchObject([{ code: "FORBIDDEN", principal: "client" }]);
  });
});
