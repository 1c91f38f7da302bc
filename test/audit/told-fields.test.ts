import { getNamedType, isInputObjectType, isObjectType, type GraphQLNamedType } from "graphql";
import {
  AUDITED_MODELS,
  FOLLOWED_MODELS,
  shownPath,
  splitPath,
} from "../../src/core/operations/audited-models.js";
import type { ModelName } from "../../src/core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import { createAssociation } from "../fleet/associations.js";
import { createForm } from "../forms/forms.js";
import { createBranch, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import { sharedSchema } from "../support/schema.js";

/** What every change moves, and what the database makes of other columns: no entry has that. */
const NEVER_TOLD = ["company_id", "updated_at", "version", "shares_second", "search_words"];
const { schema } = sharedSchema();

/** The columns of a model that entries tell of, but those that say which row it is. */
function columnsOf(model: ModelName): string[] {
  const { columns, key } = MODEL_FACTS[model];
  return columns.map(([name]) => name).filter((name) => !NEVER_TOLD.includes(name) && !key.includes(name));
}

const fieldsOf = (type: GraphQLNamedType | null | undefined) =>
  isObjectType(type) || isInputObjectType(type) ? type.getFields() : {};

/** Whether the type of the rows, or an input by which they are written, has a field, and what it holds has the key. */
function isKnown(model: ModelName, shown: string): boolean {
  const [name, key] = splitPath(shown);
  return [model, `Create${model}Input`, `Update${model}Input`].some((type) => {
    const field = fieldsOf(schema.getType(type))[name];
    return field !== undefined && (key === null || key in fieldsOf(getNamedType(field.type)));
  });
}

describe("trail and journal", () => {
  const typed = AUDITED_MODELS.filter((model) => isObjectType(schema.getType(model)));

  it("name the fields of a row as its type and inputs do", () => {
    const unknown = typed.flatMap((model) =>
      columnsOf(model)
        .map((column) => shownPath(model, column))
        // The keys of settings stand beside each other.
        .filter((shown) => shown !== null && shown !== "" && !isKnown(model, shown))
        .map((shown) => `${model}.${shown ?? ""}`),
    );

    expect(typed).toEqual(expect.arrayContaining([...FOLLOWED_MODELS]));
    expect(unknown).toEqual([]);
  });

  describe("tell nothing that is not in the contract", () => {
    let gateway: Gateway;
    let company: TestCompany;
    beforeAll(async () => {
      gateway = await startGateway();
    });
    beforeEach(async () => {
      company = await createCompany(gateway);
    });
    afterAll(() => gateway.close());

    /** The fields of the latest update, in the journal and in the trail, as REST names them. */
    async function told(type: string): Promise<{ feed: string[]; trail: string[] }> {
      await journalShowsAll(gateway);
      const path = `/companies/${company.id}`;
      const feed = await company.owner.rest("GET", `${path}/changes?types=${type}&actions=updated`);
      const trail = await company.owner.rest("GET", `${path}/audit-entries?filter[target_type]=${type}`);
      return {
        feed: feed.body.at(-1).fields,
        trail: trail.body[0].changes.map(({ field }: { field: string }) => field),
      };
    }

    it("of a document that gets its numbers", async () => {
      const { id } = await gateway.db.invoiceDocument.create({
        data: {
          companyId: company.id,
          ...{ type: "invoice", reference: "A-1", relatedType: "order", relatedId: 1 },
          ...{ targetType: "client", targetId: 1 },
        },
      });
      const complete = `mutation ($c: Int!, $id: Int!) {
        completeInvoiceDocument(companyId: $c, invoiceDocumentId: $id, input: { number: 77, control: 77 }) { id }
      }`;
      dataOf(await company.owner.run(complete, { c: company.id, id }));
      const fields = ["completed_at", "control", "number"];

      expect(await told("invoice_document")).toEqual({ feed: fields, trail: fields });
    });

    it("of the flags of an association, whose mask its type has", async () => {
      const { id, serviceId, serviceChargeId } = await createAssociation(gateway, company.id);
      const path = `/fleet-associations/${id}`;
      const { status } = await company.owner.rest("PATCH", path, {
        body: { service_id: serviceId, service_charge_id: serviceChargeId, is_admin_managed: true },
      });
      expect(status).toBe(200);

      expect(await told("fleet_association")).toEqual({ feed: ["options"], trail: ["options"] });
      expect((await company.owner.rest("GET", path)).body).toMatchObject({ is_admin_managed: true });
    });

    it("of the currency of a form, which finds its entries by its names", async () => {
      const branch = await createBranch(gateway, company.id);
      const { id } = await createForm(gateway, company.id, branch.id);
      const path = `/companies/${company.id}`;
      const update = `mutation ($c: Int!, $id: Int!) {
        updateForm(companyId: $c, id: $id, input: { currency: { iso: "EUR", taxFlatE2: 5, taxPercent: 0.1 } }) { id }
      }`;
      dataOf(await company.owner.run(update, { c: company.id, id }));
      const shown = ["currency.iso", "currency.taxFlatE2", "currency.taxPercent"];
      const found = (field: string) =>
        company.owner
          .rest("GET", `${path}/audit-entries?filter[field]=${field}`)
          .then(({ body }) => body.length as number);

      expect(await told("form")).toEqual({ feed: ["currency"], trail: shown });
      expect(await Promise.all(["currency", "currency.iso", "label_url"].map(found))).toEqual([1, 1, 0]);
    });
  });
});
