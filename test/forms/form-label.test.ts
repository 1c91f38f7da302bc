import { adminWith, createBranch, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { bmp, jpeg, png } from "../files/pictures.js";
import { localStore, sendForm, sendGraphqlForm, type TestStore } from "../files/uploads.js";
import { createForm } from "./forms.js";

const UPLOAD = `mutation ($companyId: Int!, $id: Int!, $input: UploadFormLabelInput!) {
  uploadFormLabel(companyId: $companyId, formId: $id, input: $input) { id labelUrl labelSmallUrl }
}`;

describe("upload-label", () => {
  let store: TestStore;
  let gateway: Gateway;
  let company: TestCompany;
  let id: number;
  let path: string;

  beforeAll(async () => {
    store = await localStore();
    gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    const { id: branchId } = await createBranch(gateway, company.id);
    ({ id } = await createForm(gateway, company.id, branchId));
    path = `/companies/${company.id}/forms/${id}/upload-label`;
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
  });

  const upload = (bytes: Buffer, client = company.owner) =>
    sendForm(gateway, client, path, { image: { bytes } });
  const key = async () =>
    (await gateway.db.form.findFirst({ where: { companyId: company.id, id } }))?.labelKey;

  it.each([
    ["jpeg", jpeg],
    ["png", png],
  ])("gives the form its label as %s in two sizes", async (_, picture) => {
    const { status, body } = await upload(await picture({ width: 400 }));

    expect([status, body.id]).toEqual([200, id]);
    const files = await Promise.all(
      [body.label_url, body.label_small_url].map((url) => gateway.app.inject({ url: url as string })),
    );
    expect(files.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  it("removes it by null, and keeps it when nothing is said", async () => {
    await upload(await png({ width: 10 }));

    const kept = await company.owner.rest("POST", path, { body: {} });
    const removed = await company.owner.rest("POST", path, { body: { image: null } });

    expect([kept.status, kept.body.label_url]).toEqual([200, expect.any(String)]);
    expect([removed.status, removed.body.label_url, await key()]).toEqual([200, null, null]);
  });

  it("does the same over GraphQL", async () => {
    const variables = { companyId: company.id, id, input: { image: null } };

    const { body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({ query: UPLOAD, variables }),
      map: JSON.stringify({ file: ["variables.input.image"] }),
      file: { bytes: await png({ width: 10 }) },
    });

    expect(dataOf(body)["uploadFormLabel"]).toEqual({
      id,
      labelUrl: expect.any(String) as string,
      labelSmallUrl: expect.any(String) as string,
    });
  });

  it("refuses other pictures, too many bytes and others' hands, and keeps the label", async () => {
    await upload(await png({ width: 10 }));
    const before = await key();
    const reader = await adminWith(gateway, company.id, "access_forms");

    const answers = [
      await upload(await bmp({ width: 10 })),
      await upload(Buffer.alloc(2048 * 1024 + 1)),
      await upload(await png({ width: 10 }), reader),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 413, 403]);
    expect(answers.slice(0, 2).map(({ body }) => wrongFields(body.errors))).toEqual([
      ["image:image"],
      ["image:max_size"],
    ]);
    expect(await key()).toBe(before);
  });
});
