import type { TestCompany } from "../support/factories.js";
import { type Client, dataOf, type GraphqlResult } from "../support/gateway.js";

const FIELDS =
  "id url types actions query isEnabled disabledReason authorKind authorId rotatedAt version secret";

const CREATE = `mutation ($companyId: Int!, $input: CreateWebhookInput!) {
  createWebhook(companyId: $companyId, input: $input) { ${FIELDS} }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateWebhookInput!) {
  updateWebhook(companyId: $companyId, id: $id, input: $input) { ${FIELDS} }
}`;
const ROTATE = `mutation ($companyId: Int!, $webhookId: Int!) {
  rotateWebhookSecret(companyId: $companyId, webhookId: $webhookId) { ${FIELDS} }
}`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteWebhook(companyId: $companyId, id: $id) { ${FIELDS} } }`;
const READ = `query ($companyId: Int!, $id: Int!) {
  webhook(companyId: $companyId, id: $id) { ${FIELDS} }
  webhooks(companyId: $companyId) { nodes { ${FIELDS} } }
}`;

/** What tests send to the operations of webhooks. */
export const asking = (company: () => TestCompany) => {
  const run = (document: string, variables: object, by: Client = company().owner): Promise<GraphqlResult> =>
    by.run(document, { companyId: company().id, ...variables });
  return {
    create: (input: object, by?: Client) => run(CREATE, { input }, by),
    update: (id: number, input: object, by?: Client) => run(UPDATE, { id, input }, by),
    rotate: (webhookId: number, by?: Client) => run(ROTATE, { webhookId }, by),
    remove: (id: number, by?: Client) => run(DELETE, { id }, by),
    read: (id: number, by?: Client) => run(READ, { id }, by),
    run,
  };
};

/** The webhook of an answer that must have one. */
export function webhookOf(result: GraphqlResult): Record<string, any> {
  return Object.values(dataOf(result))[0] as Record<string, any>;
}
