import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const AT_ONCE = 10;
const CREATE = `mutation ($companyId: Int!, $input: CreateInvoiceDocumentInput!) {
  document: createInvoiceDocument(companyId: $companyId, input: $input) { id number control amountE2 }
}`;
const COMPLETE = `mutation ($companyId: Int!, $id: Int!, $input: CompleteInvoiceDocumentInput!) {
  document: completeInvoiceDocument(companyId: $companyId, invoiceDocumentId: $id, input: $input) { id number control payload }
}`;
const REFUND = `mutation ($companyId: Int!, $id: Int!, $input: RefundInvoiceDocumentInput!) {
  document: refundInvoiceDocument(companyId: $companyId, invoiceDocumentId: $id, input: $input) { id amountE2 refundOfId }
}`;
const INPUT = {
  type: "invoice",
  reference: "A-17",
  relatedType: "order",
  relatedId: 17,
  targetType: "client",
  targetId: 4,
};

const create = (input: object = {}, of: TestCompany = company) =>
  of.owner.run(CREATE, { companyId: of.id, input: { ...INPUT, ...input } });
const created = async (input: object = {}) => dataOf(await create(input))["document"];
const complete = (id: number, input: object) =>
  company.owner.run(COMPLETE, { companyId: company.id, id, input });
const refund = (id: number, input: object = {}) =>
  company.owner.run(REFUND, { companyId: company.id, id, input: { type: "credit_note", ...input } });
const documents = () =>
  gateway.db.invoiceDocument.findMany({ where: { companyId: company.id }, orderBy: { id: "asc" } });

it("gives a number and a control number once in a company and type", async () => {
  await created({ number: 9, control: 10 });
  const open = await created();
  const before = await documents();

  const refused = [
    await create({ number: 9 }),
    await create({ number: 11, control: 10 }),
    await complete(open.id, { number: 9 }),
    await complete(open.id, { control: 10 }),
  ];

  expect(refused.map(errorCodes)).toEqual(Array(4).fill(["CONFLICT"]));
  expect(refused[0]?.errors?.[0]?.extensions["status"]).toBe(409);
  expect(await documents()).toEqual(before);
  expect(await created({ type: "credit_note", number: 9, control: 10 })).toMatchObject({ number: 9 });
  const other = await createCompany(gateway);
  expect(errorCodes(await create({ number: 9, control: 10 }, other))).toEqual([]);
});

it.each(["number", "control"])("gives a %s to one of several documents at once", async (name) => {
  const open = await Promise.all(Array.from({ length: AT_ONCE }, () => created()));

  const answers = await Promise.all([
    ...Array.from({ length: AT_ONCE }, () => create({ [name]: 5 })),
    ...open.map(({ id }) => complete(id, { [name]: 5 })),
  ]);

  const codes = answers.flatMap(errorCodes);
  expect(codes).toEqual(Array(2 * AT_ONCE - 1).fill("CONFLICT"));
  expect((await documents()).filter((row) => row[name as "number" | "control"] === 5)).toHaveLength(1);
});

it("completes a document with the numbers that it shares with another since an earlier release", async () => {
  const { id } = await created();
  const other = await created();
  const shared = { number: 7, control: 70 };
  await gateway.db.invoiceDocument.updateMany({ where: { companyId: company.id }, data: shared });

  await created({ number: 9 });
  const taken = await complete(id, { number: 9, control: 70 });
  const done = dataOf(await complete(id, shared))["document"];

  expect(errorCodes(taken)).toEqual(["CONFLICT"]);
  expect(done).toMatchObject({ id, ...shared });
  expect(await documents()).toMatchObject([{ id, ...shared }, { id: other.id, ...shared }, { number: 9 }]);
});

it("completes a document with errors again, and refunds none", async () => {
  const { id } = await created({ amountE2: 100 });
  dataOf(await complete(id, { number: 1, payload: { hasErrors: true, success: [] } }));
  const failed = await documents();

  const early = await refund(id);

  expect(errorCodes(early)).toEqual(["INVALID_STATE"]);
  expect(await documents()).toEqual(failed);
  const again = await complete(id, { number: 1, control: 2, payload: { hasErrors: false } });
  expect(dataOf(again)["document"]).toMatchObject({ number: 1, control: 2, payload: { hasErrors: false } });
  expect(errorCodes(await complete(id, { number: 3 }))).toEqual(["INVALID_STATE"]);
  expect(dataOf(await refund(id))["document"]).toMatchObject({ amountE2: 100, refundOfId: id });
});

it("refunds all of the original unless an amount is named, and never more", async () => {
  const [whole, part, beyond] = [
    await created({ amountE2: 100 }),
    await created({ amountE2: 100 }),
    await created({ amountE2: 100 }),
  ];
  const unknown = await created();

  const [ofWhole, ofPart, ofBeyond, ofUnknown] = [
    await refund(whole.id),
    await refund(part.id, { amountE2: 30 }),
    await refund(beyond.id, { amountE2: 101 }),
    await refund(unknown.id),
  ];

  expect([whole.amountE2, unknown.amountE2]).toEqual([100, null]);
  expect(dataOf(ofWhole)["document"].amountE2).toBe(100);
  expect(dataOf(ofPart)["document"].amountE2).toBe(30);
  expect(dataOf(ofUnknown)["document"].amountE2).toBeNull();
  expect(wrongFields(ofBeyond.errors?.[0]?.extensions["errors"])).toEqual(["amountE2:max"]);
  expect((await documents()).filter(({ refundOfId }) => refundOfId === beyond.id)).toEqual([]);
});

it("keeps refunds at once within the original's amount", async () => {
  const { id } = await created({ amountE2: 100 });

  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => refund(id, { amountE2: 60 })));

  expect(answers.flatMap(errorCodes)).toEqual(Array(AT_ONCE - 1).fill("INVALID_STATE"));
  const refunds = (await documents()).filter(({ refundOfId }) => refundOfId === id);
  expect(refunds.map(({ amountE2 }) => amountE2)).toEqual([60n]);
});

it.each([-1, 1.5, 9_007_199_254_740_992])("refuses the amount %d", async (amountE2) => {
  const { id } = await created({ amountE2: 100 });
  const before = await documents();

  const refused = [await create({ amountE2 }), await refund(id, { amountE2 })];

  expect(refused.flatMap(errorCodes)).toHaveLength(2);
  expect(await documents()).toEqual(before);
});
