import { adminWith, createCompany, unique, type TestCompany } from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
} from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const FIELDS = `id type reference issuedAt completedAt documentId payload relatedType relatedId targetType targetId
  relatedDocumentId refundOfId number control companyId`;
const CREATE = `mutation ($companyId: Int!, $input: CreateInvoiceDocumentInput!) {
  createInvoiceDocument(companyId: $companyId, input: $input) { ${FIELDS} }
}`;
const REFUND = `mutation ($companyId: Int!, $id: Int!, $type: String!) {
  refundInvoiceDocument(companyId: $companyId, invoiceDocumentId: $id, input: { type: $type }) { ${FIELDS} }
}`;
const COMPLETE = `mutation ($companyId: Int!, $id: Int!, $input: CompleteInvoiceDocumentInput!) {
  completeInvoiceDocument(companyId: $companyId, invoiceDocumentId: $id, input: $input) { ${FIELDS} }
}`;
const INPUT = {
  type: "invoice",
  reference: "A-17",
  relatedType: "order",
  relatedId: 17,
  targetType: "client",
  targetId: 4,
};
const PAYLOAD = {
  result: { strongId: "x-1", serieStrongId: "s", total: "116.00", controlNumber: 12, status: null },
  information: [{ code: 1 }],
  success: ["printed"],
  hasErrors: false,
};
const MICROSECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}000Z$/u;
const UUID = "1F0E8A54-3C2B-4D6E-8F10-ABCDEF012345";

const create = async (input: object = {}, caller: Client = company.owner) =>
  caller.run(CREATE, { companyId: company.id, input: { ...INPUT, ...input } });
const created = async (input: object = {}) => dataOf(await create(input))["createInvoiceDocument"];
const refund = (id: number, caller: Client = company.owner, type: unknown = "credit_note") =>
  caller.rest("POST", `/companies/${company.id}/invoices-documents/${id}/refund`, { body: { type } });
const documents = () =>
  gateway.db.invoiceDocument.findMany({ where: { companyId: company.id }, orderBy: { id: "asc" } });

it("is about records of other systems, whose ids may be larger than 32 bits", async () => {
  const ids = { relatedId: 2 ** 31, targetId: Number.MAX_SAFE_INTEGER };

  const document = await created(ids);
  const found = await company.owner.run(
    `query ($companyId: Int!) { invoiceDocuments(companyId: $companyId, filter: { targetId: { eq: ${ids.targetId} } }) { nodes { id } } }`,
    { companyId: company.id },
  );

  expect(document).toMatchObject(ids);
  expect(dataOf(found)["invoiceDocuments"].nodes).toEqual([{ id: document.id }]);
});

it("creates a document, with its moments in ISO 8601 and the payload in its own spelling", async () => {
  const document = await created({
    issuedAt: "2026-11-22T08:30:00.125-04:00",
    completedAt: "2026-11-22 13:00:00",
    documentId: UUID,
    relatedDocumentId: UUID,
    payload: PAYLOAD,
    number: 9,
    control: 10,
  });

  expect(document).toEqual({
    ...INPUT,
    id: expect.any(Number),
    companyId: company.id,
    issuedAt: "2026-11-22T12:30:00.125000Z",
    completedAt: "2026-11-22T13:00:00.000000Z",
    documentId: UUID.toLowerCase(),
    relatedDocumentId: UUID.toLowerCase(),
    refundOfId: null,
    payload: PAYLOAD,
    number: 9,
    control: 10,
  });
});

it("makes a documentId unless one is given", async () => {
  const made = await created({ payload: null });

  expect(made.documentId).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
});

it.each([
  [{ type: "", reference: "r".repeat(256) }, ["reference:max_length", "type:min_length"]],
  [{ documentId: null }, ["documentId:type"]],
  [{ documentId: "17", relatedType: "The order" }, ["documentId:pattern", "relatedType:pattern"]],
  [{ relatedId: 0, number: -1 }, ["number:min", "relatedId:min"]],
  [
    { payload: { result: { StrongId: "x" }, more: 1 } },
    ["payload.more:unknown", "payload.result.StrongId:unknown"],
  ],
  [{ payload: { hasErrors: "no", success: {} } }, ["payload.hasErrors:type", "payload.success:type"]],
])("refuses %j, and creates nothing", async (input, wrong) => {
  const result = await create(input);

  expect([errorCodes(result), wrongFields(result.errors?.[0]?.extensions["errors"])]).toEqual([
    ["VALIDATION_FAILED"],
    wrong,
  ]);
  expect(await documents()).toEqual([]);
});

it("refuses a documentId that another document of the company has, in whatever case", async () => {
  await created({ documentId: UUID });

  const result = await create({ documentId: UUID.toLowerCase() });

  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["documentId:unique"]);
  expect(await documents()).toHaveLength(1);
});

it("refunds a document by a new one that points to it", async () => {
  const original = await created({ payload: PAYLOAD, number: 9, control: 10, completedAt: "2026-01-01" });

  const { status, body } = await refund(original.id);

  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(Number),
    type: "credit_note",
    reference: "A-17",
    issued_at: expect.stringMatching(MICROSECONDS),
    completed_at: null,
    document_id: expect.stringMatching(/^[0-9a-f-]{36}$/u),
    payload: null,
    related_type: "order",
    related_id: 17,
    target_type: "client",
    target_id: 4,
    company_id: company.id,
    related_document_id: original.documentId,
    number: null,
    control: null,
    amount_e2: null,
    created_at: expect.stringMatching(MICROSECONDS),
    updated_at: expect.stringMatching(MICROSECONDS),
    version: 1,
  });
  const { data } = await company.owner.run(
    `query ($companyId: Int!, $id: Int!) {
      invoiceDocument(companyId: $companyId, id: $id) {
        createdAt
        updatedAt
        refund { id refundOf { id } }
        refundOf { id }
      }
    }`,
    { companyId: company.id, id: original.id },
  );
  expect(data?.["invoiceDocument"]).toEqual({
    createdAt: expect.stringMatching(MICROSECONDS),
    updatedAt: expect.stringMatching(MICROSECONDS),
    refund: { id: body.id, refundOf: { id: original.id } },
    refundOf: null,
  });
});

it("refunds a document once, and no refund", async () => {
  const { id } = await created();
  const { body } = await refund(id);
  const before = await documents();

  const [again, ofRefund] = [await refund(id), await refund(body.id)];
  const inGraphql = await company.owner.run(REFUND, { companyId: company.id, id, type: "other" });

  expect([again.status, again.body.code, ofRefund.status]).toEqual([409, "INVALID_STATE", 409]);
  expect(errorCodes(inGraphql)).toEqual(["INVALID_STATE"]);
  expect(await documents()).toEqual(before);
});

it("lets one of twenty refunds at once through", async () => {
  const { id } = await created();

  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id)));

  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
  expect((await documents()).filter(({ refundOfId }) => refundOfId === id)).toHaveLength(1);
});

it("answers the same refund to the same Idempotency-Key", async () => {
  const { id } = await created();
  const path = `/companies/${company.id}/invoices-documents/${id}/refund`;
  const request = { body: { type: "credit_note" }, headers: { "idempotency-key": unique() } };

  const [one, two] = [
    await company.owner.rest("POST", path, request),
    await company.owner.rest("POST", path, request),
  ];

  expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
});

it("tells over REST, too, what was refunded", async () => {
  const [whole, part] = [await created({ amountE2: 1000 }), await created({ amountE2: 1000 })];

  const ofWhole = await refund(whole.id);
  const ofPart = await company.owner.rest(
    "POST",
    `/companies/${company.id}/invoices-documents/${part.id}/refund`,
    { body: { type: "credit_note", amount_e2: 400 } },
  );

  expect([ofWhole, ofPart].map(({ status, body }) => [status, body.amount_e2])).toEqual([
    [201, 1000],
    [201, 400],
  ]);
});

it("refuses a refund that cannot be made, and makes none", async () => {
  const { id } = await created();
  const nameless = await created();
  await gateway.db.invoiceDocument.updateMany({
    where: { companyId: company.id, id: nameless.id },
    data: { documentId: null },
  });
  const foreign = await createCompany(gateway);
  const editor = await adminWith(gateway, company.id, "can_edit_invoices", "access_invoices");
  const before = await documents();

  const statuses = [
    (await refund(nameless.id)).status,
    (await refund(2_000_000_000)).status,
    (await refund(id, editor)).status,
    (await refund(id, gateway.anonymous)).status,
    (await refund(id, foreign.owner)).status,
    (await refund(id, company.owner, "")).status,
    (await refund(id, company.owner, null)).status,
    (
      await foreign.owner.rest("POST", `/companies/${foreign.id}/invoices-documents/${id}/refund`, {
        body: { type: "x" },
      })
    ).status,
  ];

  expect(statuses).toEqual([409, 404, 403, 401, 403, 422, 422, 404]);
  expect(await documents()).toEqual(before);
  const refunder = await adminWith(gateway, company.id, "can_refund_invoices");
  expect((await refund(id, refunder)).status).toBe(201);
});

it("writes down the fiscal printer's answer once", async () => {
  const { id } = await created();
  const complete = (input: object) => company.owner.run(COMPLETE, { companyId: company.id, id, input });

  const first = await complete({
    number: 1,
    control: 2,
    payload: PAYLOAD,
    completedAt: "2026-11-22 10:00:00",
  });
  const before = await documents();
  const second = await complete({ number: 3 });

  expect(dataOf(first)["completeInvoiceDocument"]).toMatchObject({
    number: 1,
    control: 2,
    payload: PAYLOAD,
    completedAt: "2026-11-22T10:00:00.000000Z",
  });
  expect(errorCodes(second)).toEqual(["INVALID_STATE"]);
  expect(await documents()).toEqual(before);
});

it("has no errors any more once it is refunded, and is completed without", async () => {
  const { id } = await created();
  const { body } = await refund(id);
  const complete = (of: number, hasErrors: boolean) =>
    company.owner.run(COMPLETE, { companyId: company.id, id: of, input: { payload: { hasErrors } } });
  const before = await documents();

  const failed = await complete(id, true);
  const kept = await documents();
  const done = [await complete(id, false), await complete(body.id, true), await complete(body.id, false)];

  expect([errorCodes(failed), kept]).toEqual([["INVALID_STATE"], before]);
  expect(done.map(errorCodes)).toEqual([[], [], []]);
});

it("keeps create and read apart by permission", async () => {
  const { id } = await created();
  const reader = await adminWith(gateway, company.id, "access_invoices");
  const refunder = await adminWith(gateway, company.id, "can_refund_invoices");
  const show =
    "query ($companyId: Int!, $id: Int!) { invoiceDocument(companyId: $companyId, id: $id) { id } }";

  expect(errorCodes(await create({}, reader))).toEqual(["FORBIDDEN"]);
  expect(errorCodes(await refunder.run(show, { companyId: company.id, id }))).toEqual(["FORBIDDEN"]);
  expect(dataOf(await reader.run(show, { companyId: company.id, id }))["invoiceDocument"]).toEqual({ id });
  expect(await documents()).toHaveLength(1);
});

it("filters and sorts", async () => {
  const a = await created({ number: 5, issuedAt: "2026-01-01" });
  const b = await created({
    type: "credit_note",
    number: 4,
    issuedAt: "2026-02-01",
    relatedDocumentId: a.documentId,
  });
  const ids = async (args: string) => {
    const { data } = await company.owner.run(
      `query ($companyId: Int!) { invoiceDocuments(companyId: $companyId, ${args}) { nodes { id } } }`,
      { companyId: company.id },
    );
    return data?.["invoiceDocuments"].nodes.map(({ id }: { id: number }) => id);
  };

  expect(await ids("orderBy: [{ field: NUMBER }]")).toEqual([b.id, a.id]);
  expect(await ids("orderBy: [{ field: ISSUED_AT }]")).toEqual([a.id, b.id]);
  expect(await ids('filter: { type: { eq: "invoice" } }')).toEqual([a.id]);
  expect(await ids(`filter: { relatedDocumentId: { eq: "${String(a.documentId)}" } }`)).toEqual([b.id]);
  expect(await ids('filter: { issuedAt: { gte: "2026-02-01" } }')).toEqual([b.id]);
  expect(
    await ids(
      'filter: { relatedType: { eq: "order" }, relatedId: { eq: 17 }, refundOfId: { isNull: true } }',
    ),
  ).toEqual([b.id, a.id]);
});

it.each([2, 20])("lists %d documents with their refunds by two statements", async (count) => {
  for (let n = 0; n < count; n += 1) await refund((await created()).id);
  const list = `query ($companyId: Int!) {
    invoiceDocuments(companyId: $companyId, first: ${count}, filter: { refundOfId: { isNull: true } }) { nodes { refund { id } } }
  }`;
  await company.owner.run(list, { companyId: company.id });
  gateway.statements.length = 0;

  const { nodes } = dataOf(await company.owner.run(list, { companyId: company.id }))["invoiceDocuments"];

  expect(nodes.filter((node: { refund: object | null }) => node.refund !== null)).toHaveLength(count);
  expect(gateway.statements).toHaveLength(2);
});
