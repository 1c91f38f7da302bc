import type { Row } from "../../core/db/db.js";
import { hasValues } from "../../core/db/has-values.js";
import { invalidField, notFound, validationFailed } from "../../core/errors/domain-error.js";
import { writeMask } from "../../core/masks/masks.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getBranch } from "../shops/branch.service.js";
import { getBranchGroup } from "../shops/branch-group.service.js";
import type { PropertyInput, PropertyOptionInput } from "./property.inputs.js";
import { PROPERTY_TYPE } from "./property.masks.js";
import { type Property, propertyList } from "./property.model.js";
import { replaceChoices } from "./property-choices.service.js";
import { isOfOptions, wrongChoices } from "./property.rules.js";

type PropertyRow = Row<"Property">;

/** The shop that a property belongs to; the whole company when there is none. */
export interface PropertyOwner {
  readonly branchGroupId?: number | null;
}

export function listProperties(
  { db, companyId, selected }: CompanyScope,
  args: ListArguments,
  owner: PropertyOwner = {},
): Promise<Connection<Property>> {
  const where = { companyId, ...owner };
  return listPage(propertyList, { delegate: db.property, where, select: selected("Property") }, args);
}

/** A page of the properties of the branch's shop; of the whole company when the branch belongs to no shop. */
export async function listPropertiesOfBranch(
  scope: CompanyScope,
  branchId: number,
  args: ListArguments,
): Promise<Connection<Property>> {
  const { branchGroupId } = await getBranch(scope, branchId);
  return listProperties(scope, args, { branchGroupId });
}

export async function listPropertiesOfBranchGroup(
  scope: CompanyScope,
  branchGroupId: number,
  args: ListArguments,
): Promise<Connection<Property>> {
  await getBranchGroup(scope, branchGroupId);
  return listProperties(scope, args, { branchGroupId });
}

/** @throws DomainError NOT_FOUND. */
export async function getProperty({ db, companyId }: CompanyScope, id: number): Promise<PropertyRow> {
  const property = await db.property.findFirst({ where: { companyId, id } });
  if (property === null) throw notFound("Property");
  return property;
}

/** Creates a property with its choices, range and text rule, in one transaction. */
export function createProperty(
  scope: CompanyScope,
  input: PropertyInput,
  owner: PropertyOwner = {},
): Promise<PropertyRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const type = typeOf(input, 0);
    const property = await db.property.create({
      data: {
        companyId,
        name: input.name,
        externalId: input.externalId ?? null,
        type,
        disabled: input.disabled ?? false,
        ...owner,
      },
    });
    await writeParts(inside, { id: property.id, type, isNew: true }, input);
    return property;
  });
}

/** Creates a property of the branch's shop; of the whole company when the branch belongs to no shop. */
export async function createPropertyForBranch(
  scope: CompanyScope,
  branchId: number,
  input: PropertyInput,
): Promise<PropertyRow> {
  const { branchGroupId } = await getBranch(scope, branchId);
  return createProperty(scope, input, { branchGroupId });
}

export async function createPropertyForBranchGroup(
  scope: CompanyScope,
  branchGroupId: number,
  input: PropertyInput,
): Promise<PropertyRow> {
  await getBranchGroup(scope, branchGroupId);
  return createProperty(scope, input, { branchGroupId });
}

/**
 * Changes a property. A field that is absent stays; choices that are given replace all others, matched by their ids.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED with rule `exists` for a choice of another property, and with rule
 *   `required` for a name or a price that a choice lacks when the property is one of choices.
 */
export function updateProperty(scope: CompanyScope, id: number, input: PropertyInput): Promise<PropertyRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const stored = await lockProperty(inside, id);
    const type = typeOf(input, stored.type);
    if (input.propertyOptions === undefined && isOfOptions(type) && !isOfOptions(stored.type))
      await assertChoicesNamed(inside, id);
    const property = await db.property.update({
      where: { companyId_id: { companyId, id } },
      data: {
        name: input.name,
        type,
        ...(input.externalId !== undefined && { externalId: input.externalId }),
        ...(input.disabled !== undefined && { disabled: input.disabled }),
      },
    });
    await writeParts(inside, { id, type, isNew: false }, input);
    // Parts that change move the version of their property.
    return hasParts(input) ? getProperty(inside, id) : property;
  });
}

/** Removes a property, also from every good that has it. @returns the property as it was. */
export async function deleteProperty(scope: CompanyScope, id: number): Promise<PropertyRow> {
  const { db, companyId } = scope;
  const property = await getProperty(scope, id);
  const { count } = await db.property.deleteMany({ where: { companyId, id } });
  if (count === 0) throw notFound("Property");
  return property;
}

function typeOf(input: PropertyInput, stored: number): number {
  return writeMask(PROPERTY_TYPE, { ...input }, input.type, stored);
}

/**
 * Makes changes of one property wait for each other, so that its choices are those of one change and not of two.
 */
async function lockProperty({ db, companyId }: CompanyScope, id: number): Promise<{ type: number }> {
  const [row] = await db.$queryRaw<{ type: number }[]>`
    SELECT type FROM properties WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE`;
  if (row === undefined) throw notFound("Property");
  return row;
}

/** A property whose parts are written. */
interface WrittenProperty {
  readonly id: number;
  /** The mask `type`. */
  readonly type: number;
  /** Whether it has been made just now, so that it has no parts yet. */
  readonly isNew: boolean;
}

function hasParts({ propertyOptions, propertyRange, propertyText }: PropertyInput): boolean {
  return [propertyOptions, propertyRange, propertyText].some((part) => part !== undefined);
}

/** Writes the choices, the range and the text rule that an input gives. */
async function writeParts(
  scope: CompanyScope,
  property: WrittenProperty,
  input: PropertyInput,
): Promise<void> {
  const { db, companyId } = scope;
  const { id: propertyId, isNew } = property;
  const { propertyOptions, propertyRange, propertyText } = input;
  if (propertyOptions !== undefined) await writeChoices(scope, property, propertyOptions);
  const where = { companyId, propertyId };
  if (propertyRange !== undefined) {
    const stored = isNew ? null : await db.propertyRange.findFirst({ where });
    const range = propertyRange && { unit: null, ...propertyRange };
    if (!isSamePart(stored, range)) {
      if (stored !== null) await db.propertyRange.deleteMany({ where });
      if (range !== null) await db.propertyRange.create({ data: { ...where, ...range } });
    }
  }
  if (propertyText !== undefined) {
    const stored = isNew ? null : await db.propertyText.findFirst({ where });
    const text = propertyText && { hint: null, ...propertyText };
    if (!isSamePart(stored, text)) {
      if (stored !== null) await db.propertyText.deleteMany({ where });
      if (text !== null) await db.propertyText.create({ data: { ...where, ...text } });
    }
  }
}

/** Whether a part is already as it is to be. */
function isSamePart(stored: object | null, wanted: object | null): boolean {
  return stored === null || wanted === null ? stored === wanted : hasValues(stored, wanted);
}

/** @throws DomainError VALIDATION_FAILED when the property has a choice without a name. */
async function assertChoicesNamed({ db, companyId }: CompanyScope, propertyId: number): Promise<void> {
  const unnamed = await db.propertyOption.findFirst({ where: { companyId, propertyId, name: "" } });
  if (unnamed === null) return;
  const message = `is required: choice ${unnamed.id} has no name, which properties of type options need`;
  throw invalidField("propertyOptions", "required", message);
}

async function writeChoices(
  scope: CompanyScope,
  { id: propertyId, type, isNew }: WrittenProperty,
  choices: readonly PropertyOptionInput[],
): Promise<void> {
  const { db, companyId } = scope;
  const stored = isNew ? [] : await db.propertyOption.findMany({ where: { companyId, propertyId } });
  const storedById = new Map(stored.map((choice) => [choice.id, choice]));
  const errors = wrongChoices(choices, type, storedById);
  if (errors.length > 0) throw validationFailed(errors);

  const rows = choices.map((choice, index) => {
    const before = choice.id == null ? undefined : storedById.get(choice.id);
    return {
      id: before?.id,
      name: choice.name ?? before?.name ?? "",
      priceE2: choice.priceE2 ?? before?.priceE2 ?? 0,
      inOrder: choice.inOrder ?? index,
      isDefault: choice.isDefault ?? before?.isDefault ?? false,
    };
  });
  await replaceChoices(scope, propertyId, [...storedById.keys()], rows);
}
