import { setImmediate } from "node:timers/promises";
import { DomainError, invalidField, notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import { MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import { MAX_AMOUNT } from "../../core/money.js";
import type { NamedRow } from "../../core/operations/named-row.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import { getSettings } from "../companies/company-settings.service.js";
import { getBranch } from "../shops/branch.service.js";
import type { FormInput } from "./form.inputs.js";
import {
  FORM_TYPES,
  formList,
  type Form,
  type FormSubmissionCheck,
  type FormTax,
  type FormTypeName,
} from "./form.model.js";
import type { FormComponent } from "./form.schema.js";
import { lockBranch, lockBranchOf } from "./form.sql.js";
import { showsCurrency } from "./form-currency.rules.js";
import { isAnswer, partsOf, wrongAnswer, type FormAnswer } from "./form-submission.rules.js";
import { taxOf } from "./form-tax.rules.js";

type FormRow = Row<"Form">;

const plain = resourceService<Form>("Form", formList, { prepare });

/** Writes and reads of forms by their ids. */
export const formService = {
  ...plain,
  remove: (scope: CompanyScope, id: number) =>
    scope.transaction(async (inside) => {
      await lockBranchOf(inside, id);
      return plain.remove(inside, id);
    }),
};

/** Turns an input into columns. The forms of a branch change one after the other. */
async function prepare(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  if (id === null) return columnsOf(input);
  await lockBranchOf(scope, id);
  if (input["currency"] == null) return columnsOf(input);
  const { db, companyId } = scope;
  const stored = await db.form.findFirst({ where: { companyId, id } });
  return columnsOf(stored === null ? input : withoutShown(scope, stored, input));
}

/** An input without the currency of a form that has none of its own when it is sent back as it is shown: it sets none. */
function withoutShown({ company }: CompanyScope, stored: FormRow, { currency, ...rest }: Values): Values {
  return showsCurrency(stored, company.currencyIso, currency as FormInput["currency"])
    ? rest
    : { ...rest, currency };
}

function columnsOf({ form, currency, ...rest }: Values): Values {
  const { iso, taxFlatE2, taxPercent } = (currency ?? {}) as NonNullable<FormInput["currency"]>;
  return {
    ...rest,
    ...(form !== undefined && { data: form }),
    ...(currency === null && { currencyIso: null, taxFlatE2: 0, taxPercent: 0 }),
    ...(currency != null && { currencyIso: iso, taxFlatE2, taxPercent }),
  };
}

/** What a form has whose input names nothing. */
const NOTHING: FormInput = { name: null, internalName: null, icon: 0, currency: null, form: [] };

/** The form that arguments name, unchecked as they are. @throws DomainError NOT_FOUND. */
export const namedForm: NamedRow = async (scope, { branchId, formType }) => {
  if (typeof formType === "string") await getForm(scope, branchId as number, formType);
};

/** The same where `payment` and `pod` need no form yet. */
export const namedOrNewForm: NamedRow = async (scope, args) => {
  if (!isTypeName(args["formType"] as string)) await namedForm(scope, args);
};

/** The same of the branch that an order is for, if there is such a one. */
export const namedFormOfOrder: NamedRow = async (scope, { branchId, orderBranchId, formType }) => {
  const ofOrder = (orderBranchId ?? branchId) as number;
  const found = await existingBranches(scope, [ofOrder]);
  if (found.has(ofOrder)) await namedForm(scope, { branchId: ofOrder, formType });
};

/** The form with the id, as far as the caller may know of it. */
export const offeredForm: NamedRow = async (scope, { formId }) => {
  await getOffered(scope, formId as number);
};

/** Creates or replaces a form of a branch; its state and its label stay. @throws DomainError NOT_FOUND. */
export function putForm(
  scope: CompanyScope,
  branchId: number,
  formType: string,
  input: FormInput,
): Promise<Form | FormRow> {
  return scope.transaction(async (inside) => {
    await assertBranch(inside, branchId);
    const stored = await firstForm(inside, branchId, formType);
    if (stored === null && !isTypeName(formType)) throw notFound("Form");
    const { db, companyId } = inside;
    const whole = { ...NOTHING, ...input, branchId };
    if (stored === null)
      return db.form.create({
        data: { ...columnsOf(whole), companyId, branchId, type: FORM_TYPES[formType as FormTypeName] },
      });
    const data = columnsOf(withoutShown(inside, stored, whole));
    return db.form.update({ where: idOf(stored), data });
  });
}

/** Adds a payment form to a branch. @throws DomainError NOT_FOUND. */
export function addPaymentForm(scope: CompanyScope, branchId: number, input: FormInput): Promise<FormRow> {
  return scope.transaction(async (inside) => {
    await assertBranch(inside, branchId);
    const { db, companyId } = inside;
    const values = columnsOf({ ...NOTHING, ...input });
    return db.form.create({ data: { ...values, companyId, branchId, type: FORM_TYPES.payment } });
  });
}

/** Removes a form of a branch; answers what it was. @throws DomainError NOT_FOUND. */
export function removeForm(scope: CompanyScope, branchId: number, formType: string): Promise<FormRow> {
  return scope.transaction(async (inside) => {
    await assertBranch(inside, branchId);
    const form = await getForm(inside, branchId, formType);
    return inside.db.form.delete({ where: idOf(form) });
  });
}

/** Locks the forms of a branch, and finds the one that arguments name. @throws DomainError NOT_FOUND. */
export async function lockedFormId(
  { branchId, formType }: Readonly<Record<string, unknown>>,
  scope: CompanyScope,
): Promise<number> {
  await assertBranch(scope, branchId as number);
  return (await getForm(scope, branchId as number, formType as string)).id;
}

/** Enables or disables a form of a branch; again: the same. @throws DomainError NOT_FOUND. */
export function setDisabled(
  scope: CompanyScope,
  branchId: number,
  formType: string,
  disabled: boolean,
): Promise<FormRow> {
  return scope.transaction(async (inside) => {
    await assertBranch(inside, branchId);
    const form = await getForm(inside, branchId, formType);
    if (form.disabled === disabled) return form;
    return inside.db.form.update({ where: idOf(form), data: { disabled } });
  });
}

/** Gives a form another label, or none. @throws DomainError NOT_FOUND. */
export function setLabel(
  scope: CompanyScope,
  id: number,
  labelKey: string | null | undefined,
): Promise<Form | FormRow> {
  if (labelKey === undefined) return plain.get(scope, id);
  return scope.transaction(async (inside) => {
    await lockBranchOf(inside, id);
    const { db, companyId } = inside;
    const [row] = await db.form.updateManyAndReturn({ where: { companyId, id }, data: { labelKey } });
    if (row === undefined) throw notFound("Form");
    return row;
  });
}

/**
 * The form of a branch that a path names: `payment` or `pod` the first of that type, else the one with that id. For
 * clients there are enabled forms alone.
 *
 * @param currency of several forms of a type the first that takes it comes before others.
 * @throws DomainError NOT_FOUND.
 */
export async function getForm(
  scope: CompanyScope,
  branchId: number,
  formType: string,
  currency: string | null = null,
): Promise<FormRow> {
  const form = await firstForm(scope, branchId, formType, currency);
  if (form === null) throw notFound("Form");
  return form;
}

async function firstForm(
  scope: CompanyScope,
  branchId: number,
  formType: string,
  currency: string | null = null,
): Promise<FormRow | null> {
  const { db, companyId } = scope;
  const named = isTypeName(formType) ? { type: FORM_TYPES[formType] } : { id: readId(formType) };
  const where = { companyId, branchId, ...named, ...offered(scope) };
  const orderBy = { id: "asc" as const };
  const first = (more: object) => db.form.findFirst({ where: { ...where, ...more }, orderBy });
  if (currency === null) return first({});
  const forms = await db.form.findMany({ where, orderBy, select: { id: true, currencyIso: true } });
  const inIt = forms.find(({ currencyIso }) => currencyIso !== null && isSame(currencyIso, currency));
  return first(inIt === undefined ? {} : { id: inIt.id });
}

/** Which forms the caller may know of. */
function offered({ caller }: CompanyScope): { disabled?: boolean } {
  return caller.kind === "client" ? { disabled: false } : {};
}

/**
 * The payment forms of a marketplace, from its oldest on.
 *
 * @throws DomainError NOT_FOUND for the branch; INVALID_STATE when the company is no marketplace.
 */
export async function listPaymentForms(
  scope: CompanyScope,
  branchId: number,
  offset: number,
): Promise<FormRow[]> {
  const where = await ofMarketplace(scope, branchId);
  const orderBy = [{ id: "asc" as const }];
  return scope.db.form.findMany({ where, orderBy, skip: offset, take: MAX_UNPAGED_ROWS });
}

export async function countPaymentForms(scope: CompanyScope, branchId: number): Promise<number> {
  return scope.db.form.count({ where: await ofMarketplace(scope, branchId) });
}

async function ofMarketplace(scope: CompanyScope, branchId: number) {
  await getBranch(scope, branchId);
  const { isMarketplace } = await getSettings(scope);
  if (!isMarketplace)
    throw new DomainError("INVALID_STATE", "The company is no marketplace, so it has no such list.");
  return { companyId: scope.companyId, type: FORM_TYPES.payment, ...offered(scope) };
}

/** What is to be paid by a form, in hundredths. */
export interface TaxQuestion {
  readonly orderE2: number;
  readonly tipE2: number;
  /** The currency of the amounts, that of the form when absent. */
  readonly currencyToUse: string | null;
  /** The branch whose form counts, that of the path when absent. */
  readonly orderBranchId: number | null;
}

/**
 * What paying by a form costs. Nothing is converted.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED for a currency that the form does not take, and amounts beyond 53 bits.
 */
export async function getTax(
  scope: CompanyScope,
  branchId: number,
  formType: string,
  { orderE2, tipE2, currencyToUse, orderBranchId }: TaxQuestion,
): Promise<FormTax> {
  if (orderBranchId !== null) await assertBranches(scope, branchId, orderBranchId);
  const form = await getForm(scope, orderBranchId ?? branchId, formType, currencyToUse);
  const { currencyIso, taxFlatE2 } = form;
  if (currencyToUse !== null && currencyIso !== null && !isSame(currencyToUse, currencyIso))
    throw invalidField("currencyToUse", "mismatch", `must be ${currencyIso}, the currency of the form`);
  const taxPercent = form.taxPercent.toString();
  const amountE2 = BigInt(orderE2) + BigInt(tipE2);
  const taxE2 = taxOf({ taxFlatE2, taxPercent }, amountE2);
  const totalE2 = amountE2 + taxE2;
  if (totalE2 > MAX_AMOUNT) throw invalidField("orderE2", "max", "is too large together with tip and tax");
  return {
    taxFlatE2,
    taxPercent: Number(taxPercent),
    taxE2,
    totalE2,
    currencyIso: currencyIso ?? currencyToUse ?? scope.company.currencyIso,
  };
}

/** Asserts that the branch of a path exists, and that of an order beside it. */
async function assertBranches(scope: CompanyScope, branchId: number, orderBranchId: number): Promise<void> {
  const found = await existingBranches(scope, [branchId, orderBranchId]);
  if (!found.has(branchId)) throw notFound("Branch");
  if (!found.has(orderBranchId))
    throw invalidField("orderBranchId", "exists", `${orderBranchId} does not exist`);
}

async function existingBranches(
  { db, companyId }: CompanyScope,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const where = { companyId, id: { in: ids.filter((id) => isId(id)) } };
  const rows = await db.branch.findMany({ where, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

/** The form with an id; for clients an enabled one alone. @throws DomainError NOT_FOUND. */
async function getOffered(scope: CompanyScope, id: number): Promise<FormRow> {
  const { db, companyId } = scope;
  const form = await db.form.findFirst({ where: { companyId, id, ...offered(scope) } });
  if (form === null) throw notFound("Form");
  return form;
}

/**
 * Finds what is wrong with the answers to a form. Between patterns other requests get their turn.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function checkSubmission(
  scope: CompanyScope,
  formId: number,
  answers: readonly FormAnswer[],
): Promise<FormSubmissionCheck> {
  const form = await getOffered(scope, formId);
  const components = form.data as unknown as readonly FormComponent[];
  const byIndex = new Map(answers.map((answer) => [answer.index, answer]));
  const errors: FormSubmissionCheck["errors"] = [];
  for (const [index, component] of components.entries()) {
    const { kind, fields } = partsOf(component);
    const question = fields.question ?? null;
    const wrong = wrongAnswer(component, byIndex.get(index));
    errors.push(...wrong.map((error) => ({ index, component: kind, question, ...error })));
    if ("input" in component && component.input.regex !== undefined) await setImmediate();
  }
  for (const { index, value } of answers)
    if (index >= components.length && isAnswer(value))
      errors.push({
        index,
        component: null,
        question: null,
        rule: "unknown",
        message: "is no component of the form",
      });
  return { isValid: errors.length === 0, errors };
}

async function assertBranch(scope: CompanyScope, branchId: number): Promise<void> {
  if (!isId(branchId) || !(await lockBranch(scope, branchId))) throw notFound("Branch");
}

function idOf({ companyId, id }: FormRow) {
  return { companyId_id: { companyId, id } };
}

function isTypeName(formType: string): formType is FormTypeName {
  return Object.hasOwn(FORM_TYPES, formType);
}

/** An id in any other form than plain digits names no row. */
function readId(text: string): number {
  return /^[1-9]\d{0,9}$/u.test(text) && isId(Number(text)) ? Number(text) : 0;
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
}
