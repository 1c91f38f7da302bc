import type { RequestContext } from "../request/run.js";
import type { Access } from "../../core/access/access.js";
import { DomainError, notFound, validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { delegateName, type ModelName } from "../../core/scope/tenant-models.js";
import type { ReferencedId } from "../validation/validator.js";
import { LIST_ARGUMENTS, type Operation } from "../schema/operation.js";

export type Arguments = Record<string, unknown>;

/**
 * Everything that is checked before an operation runs, in the order in which refusals are told:
 * 401, 403, 404, then 422 with all wrong fields at once (conventions §8).
 */
export async function guard(operation: Operation, args: Arguments, context: RequestContext): Promise<void> {
  const scope = await authorize(operation, args, context);
  const timeZoneOffset = scope?.company.timeZoneOffset ?? "+00:00";
  const { errors, references } = operation.check(args, { at: context.at, timeZoneOffset });
  const missing = scope === null ? [] : await missingReferences(scope, references);
  const taken = await storedErrors(operation, args, context);
  const all = once([...context.inputErrors, ...errors, ...missing, ...taken]);
  if (all.length === 0) return;
  if (scope !== null) await assertTargetsExist(operation, args, scope);
  throw refusal(all);
}

/**
 * May this caller run the operation in this company?
 *
 * @returns the scope of the company, `null` for operations without one.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND (the company).
 */
export async function authorize(
  operation: Pick<Operation, "access" | "hasCompany">,
  args: Arguments,
  context: RequestContext,
): Promise<CompanyScope | null> {
  const { access } = operation;
  const companyId = operation.hasCompany ? (args["companyId"] as number) : undefined;
  await assertAllowed(access, companyId, args, context);
  if (companyId === undefined) return null;
  const prepared = context.scopes.get(companyId);
  if (prepared !== undefined) return prepared;
  const company = isId(companyId) ? await context.runtime.companies.find(companyId) : null;
  if (company === null) throw notFound("Company");
  return context.enter(company);
}

async function assertAllowed(
  access: Access,
  companyId: number | undefined,
  args: Arguments,
  { caller, runtime }: RequestContext,
): Promise<void> {
  if (access.kind === "open" && (access.ignoresToken || caller.kind === "anonymous")) return;
  if (caller.kind === "anonymous") throw new DomainError("UNAUTHENTICATED", "This operation needs a token.");
  if (caller.kind === "invalid")
    throw new DomainError("UNAUTHENTICATED", "The token is expired or not valid.");
  if (caller.kind === "platform") {
    if (access.kind === "client") throw forbidden("Only the client itself may do this.");
    return;
  }
  const grant = caller.kind === "admin" ? await runtime.roles.grantOf(caller.companyId, caller.id) : null;
  const known =
    caller.kind === "admin" ? grant !== null : await runtime.roles.clientExists(caller.companyId, caller.id);
  if (!known) throw new DomainError("UNAUTHENTICATED", "The token's owner does not exist any more.");
  if (access.kind === "open") return;
  if (access.kind === "platform") throw forbidden("Only the platform may do this.");
  if (companyId !== undefined && companyId !== caller.companyId)
    throw forbidden("The token is for another company.");
  if (access.kind === "signedIn") return;
  if (access.kind === "client") {
    if (caller.kind === "client") return;
    throw forbidden("Only the client itself may do this.");
  }
  const allowed =
    grant === null
      ? access.orAnyClient === true || (access.orClient !== undefined && args[access.orClient] === caller.id)
      : grant.all || grant.roles.has(access.permission);
  if (!allowed) throw forbidden(`This needs the permission ${access.permission}.`);
}

function forbidden(message: string): DomainError {
  return new DomainError("FORBIDDEN", message);
}

/** Ids of the input that belong to no row of the company: 422 with rule `exists`. One query per model. */
async function missingReferences(
  scope: CompanyScope,
  references: readonly ReferencedId[],
): Promise<FieldError[]> {
  const models = [...new Set(references.map(({ model }) => model))];
  const missing = await Promise.all(
    models.map(async (model) => {
      const wanted = references.filter((reference) => reference.model === model);
      const found = await existingIds(
        scope,
        model,
        wanted.map(({ id }) => id),
      );
      return wanted.filter(({ id }) => !found.has(id));
    }),
  );
  return missing.flat().map(({ field, id }) => ({ field, rule: "exists", message: `${id} does not exist` }));
}

async function storedErrors(
  { storedRule }: Operation,
  args: Arguments,
  context: RequestContext,
): Promise<readonly FieldError[]> {
  const { input } = args;
  if (storedRule === undefined || typeof input !== "object" || input === null) return [];
  return storedRule(input as Readonly<Record<string, unknown>>, context, args);
}

/** Rows that a path names come before what is wrong with the input. */
export async function assertTargetsExist(
  operation: Operation,
  args: Arguments,
  scope: CompanyScope,
): Promise<void> {
  for (const { argument, model, includesDeleted } of operation.idArguments) {
    const id = args[argument];
    if (id === undefined || id === null) continue;
    const found = isId(id) ? await existingIds(scope, model, [id], includesDeleted) : new Set<unknown>();
    if (!found.has(id)) throw notFound(model);
  }
}

interface FindMany {
  findMany(query: object): Promise<{ id: number }[]>;
}

const SOFT_DELETED: ReadonlySet<string> = new Set([
  "Good",
  "Admin",
  "Client",
  "CompanyEvent",
  "Coupon",
] satisfies ModelName[]);

async function existingIds(
  scope: CompanyScope,
  model: ModelName,
  ids: readonly number[],
  includesDeleted = false,
): Promise<Set<number>> {
  const delegate = scope.db[delegateName(model) as keyof typeof scope.db] as unknown as FindMany;
  const rows = await delegate.findMany({
    where: {
      companyId: scope.companyId,
      id: { in: [...new Set(ids)] },
      ...(SOFT_DELETED.has(model) && !includesDeleted && { deletedAt: null }),
    },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

/** What a body's shape and its values tell alike; nothing more of a value that is of another type altogether. */
function once(errors: readonly FieldError[]): FieldError[] {
  const misshapen = new Set(errors.filter(({ rule }) => rule === "type").map(({ field }) => field));
  const isWithin = (field: string): boolean => wholesOf(field).some((whole) => misshapen.has(whole));
  const told = errors.filter(({ field, rule }) =>
    rule === "type" ? !isWithin(field) : !misshapen.has(field) && !isWithin(field),
  );
  return [...new Map(told.map((error) => [`${error.field} ${error.rule}`, error])).values()];
}

/** `config` and `config.days` of `config.days[0]`. */
function wholesOf(field: string): string[] {
  return [...field.matchAll(/[.[]/gu)].map(({ index }) => field.slice(0, index));
}

function refusal(errors: readonly FieldError[]): DomainError {
  const onlyList = errors.every(({ field }) => LIST_ARGUMENTS.has(field.split(/[.[]/u)[0] ?? ""));
  if (!onlyList) return validationFailed(errors);
  return new DomainError("BAD_REQUEST", "The list cannot be asked for like this; see errors.", { errors });
}
