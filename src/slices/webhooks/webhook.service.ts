import { isRoleHolder } from "../../core/access/caller.js";
import type { Changes, Row } from "../../core/db/db.js";
import { DomainError, notFound, type FieldError, validationFailed } from "../../core/errors/domain-error.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { assertRoom } from "../../core/quotas/quota.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import type { Secrets } from "../../core/secrets.js";
import { mayReadRows } from "../audit/audit-values.access.js";
import { readJournal } from "../audit/change.sql.js";
import { newSecret, placeOf } from "./webhook-secret.js";
import { replaceSecret } from "./webhook.sql.js";
import type { CreateWebhookInput, UpdateWebhookInput } from "./webhook.inputs.js";
import { webhookQuota } from "./webhook.quota.js";
import { modelOfType } from "./webhook.rules.js";

type Context = Pick<OperationContext, "caller" | "runtime">;
type WebhookRow = Row<"Webhook">;
type WithSecret = WebhookRow & { readonly secret: string };

/** The look-up of the address of a name takes no longer. */
const LOOK_UP_MS = 2_000;
/** The variables that a query has. */
export const QUERY_VARIABLES = ["companyId", "id"] as const;

/** @throws DomainError VALIDATION_FAILED, also with rule `quota`; FORBIDDEN for a type that the caller may not read. */
export async function createWebhook(
  scope: CompanyScope,
  input: CreateWebhookInput,
  context: Context,
): Promise<WithSecret> {
  const values = await checkedValues(scope, input, context);
  const secret = newSecret();
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await assertRoom(inside, webhookQuota);
    const row = await db.webhook.create({
      data: {
        companyId,
        url: input.url,
        types: values.types ?? [],
        actions: values.actions ?? [],
        query: input.query ?? null,
        isEnabled: input.isEnabled ?? true,
        ...authorOf(scope),
      },
    });
    const { end } = await readJournal(inside, null, { types: [], actions: null, most: 0 });
    const { transaction, id: entryId, at: entryAt, seenAt } = end;
    const sealed = context.runtime.secrets.seal(secret, placeOf(companyId, row.id, "present"));
    await db.webhookState.create({
      data: { companyId, webhookId: row.id, transaction, entryId, entryAt, seenAt, secret: sealed },
    });
    return { ...row, secret };
  });
}

/** @throws DomainError NOT_FOUND. */
export async function getWebhook(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  id: number,
): Promise<WebhookRow> {
  const row = await db.webhook.findFirst({ where: { companyId, id } });
  if (row === null) throw notFound("Webhook");
  return row;
}

/** @throws DomainError as `createWebhook`; NOT_FOUND. */
export async function updateWebhook(
  scope: CompanyScope,
  id: number,
  input: UpdateWebhookInput,
  context: Context,
): Promise<WebhookRow> {
  const values = await checkedValues(scope, input, context);
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const where = { companyId, id };
    const before = await getWebhook(inside, id);
    const isEnabledAgain = input.isEnabled === true && !before.isEnabled;
    const [row] = await db.webhook.updateManyAndReturn({
      where,
      data: { ...values, ...(isEnabledAgain && { disabledReason: null }) },
    });
    if (row === undefined) throw notFound("Webhook");
    if (isEnabledAgain)
      await db.webhookState.updateMany({ where: { companyId, webhookId: id }, data: { failingSince: null } });
    return row;
  });
}

/** @throws DomainError NOT_FOUND. */
export function rotateSecret(scope: CompanyScope, id: number, secrets: Secrets): Promise<WithSecret> {
  const secret = newSecret();
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const [row] = await db.webhook.updateManyAndReturn({
      where: { companyId, id },
      data: { rotatedAt: scope.at },
    });
    const state = await db.webhookState.findFirst({ where: { companyId, webhookId: id } });
    if (row === undefined || state === null) throw notFound("Webhook");
    const before = secrets.open(state.secret, placeOf(companyId, id, "present"));
    await replaceSecret(inside, id, {
      secret: secrets.seal(secret, placeOf(companyId, id, "present")),
      previous: before === null ? null : secrets.seal(before, placeOf(companyId, id, "previous")),
    });
    return { ...row, secret };
  });
}

/** Column values of an input whose types may be read, and whose address and query are fit for use. */
async function checkedValues(
  scope: CompanyScope,
  input: UpdateWebhookInput,
  context: Context,
): Promise<Changes<"Webhook"> & { types?: ModelName[]; actions?: string[] }> {
  const { url, types, actions, query, isEnabled } = input;
  const wrong: FieldError[] = [];
  const models = modelsOf(types ?? [], wrong);
  if (url !== undefined) {
    const objection = await context.runtime.outbound.objection(url, LOOK_UP_MS);
    if (objection !== null) wrong.push({ field: "url", rule: "address", message: objection });
  }
  if (query != null) {
    const objection = context.runtime.objectionToQuery(query, QUERY_VARIABLES);
    if (objection !== null) wrong.push({ field: "query", rule: "query", message: objection });
  }
  if (wrong.length > 0) throw validationFailed(wrong);
  for (const model of models)
    if (!(await mayReadRows(context, scope.companyId, model)))
      throw new DomainError("FORBIDDEN", `You may not read changes of the type ${model}.`);
  const decidesWhatGoesWhere = url !== undefined || types !== undefined || query !== undefined;
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: models }),
    ...(actions !== undefined && { actions: [...new Set(actions)] }),
    ...(query !== undefined && { query }),
    ...(isEnabled !== undefined && { isEnabled }),
    ...(decidesWhatGoesWhere && authorOf(scope)),
  };
}

/** The models of types as callers write them, each once; those of none are noted as wrong. */
function modelsOf(types: readonly string[], wrong: FieldError[]): ModelName[] {
  const models = new Set<ModelName>();
  types.forEach((type, i) => {
    const model = modelOfType(type);
    if (model !== undefined) models.add(model);
    else
      wrong.push({
        field: `types[${i}]`,
        rule: "exists",
        message: `${type} is no type whose changes are kept`,
      });
  });
  return [...models];
}

/** The columns that name the caller as author. @throws DomainError FORBIDDEN for callers whose rights cannot be looked up later. */
function authorOf({ caller }: CompanyScope): { authorKind: string; authorId: number | null } {
  if (isRoleHolder(caller)) return { authorKind: caller.kind, authorId: caller.id };
  if (caller.kind === "platform") return { authorKind: "platform", authorId: null };
  throw new DomainError("FORBIDDEN", "Webhooks are made by admins, keys and the platform.");
}
