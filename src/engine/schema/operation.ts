import { isNonNullType, type GraphQLField } from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import { ownArgument, type Access } from "../../core/access/access.js";
import { isDefined, type Area } from "../../core/access/permissions.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import type { CheckedList } from "../../core/lists/list-definition.js";
import { listErrors } from "../../core/lists/list-errors.js";
import { AUDIT, type AuditRule } from "../../core/operations/audited.js";
import type { ChangedRow } from "../../core/operations/changed-row.js";
import { NAMED_ROW, type NamedRow } from "../../core/operations/named-row.js";
import { ROOM_RULE, type RoomRule } from "../../core/operations/room-rule.js";
import { changedRowOf } from "./row-conditions.js";
import type { InputSchemas } from "../validation/input-schemas.js";
import type { Check, InputValidator } from "../validation/validator.js";
import {
  ARGUMENT_SCHEMA,
  CHECKED_LIST,
  CHOOSES_ROWS,
  DELETED_ROWS_OF,
  ID_ARGUMENT,
  IS_BULK,
  OF_DELETED_COMPANY,
  STORED_RULE,
  type EntityReference,
  type StoredRule,
} from "../../core/operations/operation-arguments.js";

/** The arguments of a call, which its checks change in place. */
export type Arguments = Record<string, unknown>;

/** A query or mutation of the schema, with everything that is checked before it runs. */
export interface Operation {
  readonly name: string;
  readonly kind: "query" | "mutation";
  readonly access: Access;
  /** Says whether it acts in the company that `companyId` names; that of a deleted company acts in none. */
  readonly hasCompany: boolean;
  /** Says whether callers may leave the company out. */
  readonly companyIsOptional: boolean;
  /** The arguments that name rows of the company, with the models of the rows. */
  readonly idArguments: readonly ({ readonly argument: string } & EntityReference)[];
  /** Finds the row that several arguments name together. */
  readonly namedRow: NamedRow | undefined;
  /** The one row that a mutation changes; its `updatedAt` may be a condition. */
  readonly changedRow: ChangedRow | null;
  /** The arguments that only choose and order rows. */
  readonly listArguments: ReadonlySet<string>;
  /** The JSON Schema of the arguments. */
  readonly schema: JsonSchema;
  /** Checks and normalises the arguments in place. */
  readonly check: Check;
  readonly storedRule: StoredRule | undefined;
  /** What uploads are refused by before their bodies are read. */
  readonly roomRule: RoomRule | undefined;
  /** Says whether the rows that it changes are written to the audit trail. */
  readonly isAudited: boolean;
  /** Says whether its service opens the transaction in which rows are changed. */
  readonly hasOwnTransaction: boolean;
  /** Says whether it does the same with many rows, each in a transaction of its own. */
  readonly isBulk: boolean;
  /** The area whose admins may set `withDeleted`; `null` for operations without this argument. */
  readonly deletedRowsOf: Area | null;
}

/** Arguments that only choose and order rows, of whatever list: a wrong one is a 400, not a 422 (contract §4.3). */
const LIST_ARGUMENTS = ["filter", "orderBy", "first", "after", "last", "before", "offset", "withDeleted"];

/** Returns whether a wrong field is in a list argument. */
export function isOfList(
  { field }: FieldError,
  { listArguments }: Pick<Operation, "listArguments">,
): boolean {
  return listArguments.has(argumentOf(field));
}

/** Returns the argument in which a field is: `filter` for `filter.priceE2`. */
export function argumentOf(field: string): string {
  return field.split(/[.[]/u)[0] ?? "";
}

/**
 * Collects the checks of a query or mutation.
 *
 * @throws Error when the field does not declare who may run it, who may see its deleted rows, or how it is recorded: such
 *   a schema must not be served.
 */
export function describeOperation(
  kind: "query" | "mutation",
  field: GraphQLField<unknown, unknown>,
  schemas: InputSchemas,
  validator: InputValidator,
): Operation {
  const access = field.extensions["access"] as Access | undefined;
  if (access === undefined) throw new Error(`${kind} ${field.name} declares no access`);
  if (access.kind === "permission" && !isDefined(access.permission))
    throw new Error(`${kind} ${field.name} needs ${access.permission}, which no slice defines`);
  const own = ownArgument(access);
  if (own !== null && !field.args.some(({ name }) => name === own))
    throw new Error(`${kind} ${field.name} has no argument ${own}, by which its access is declared`);
  const idArguments = Object.entries(field.extensions)
    .filter(([key]) => key.startsWith(ID_ARGUMENT))
    .map(([key, reference]) => ({
      argument: key.slice(ID_ARGUMENT.length),
      ...(reference as EntityReference),
    }));
  return {
    name: field.name,
    kind,
    access,
    ...companyOf(field, idArguments.length),
    idArguments,
    namedRow: field.extensions[NAMED_ROW] as NamedRow | undefined,
    changedRow: kind === "mutation" ? changedRowOf(field) : null,
    ...checkedArguments(field, schemas, validator),
    storedRule: field.extensions[STORED_RULE] as StoredRule | undefined,
    roomRule: field.extensions[ROOM_RULE] as RoomRule | undefined,
    ...auditing(kind, field),
    isBulk: field.extensions[IS_BULK] === true,
    deletedRowsOf: deletedRowsOf(field),
  };
}

/** Collects the checks of the arguments of a field, whether it is an operation or belongs to a row. */
export function checkedArguments(
  field: CheckedField,
  schemas: InputSchemas,
  validator: InputValidator,
): Pick<Operation, "listArguments" | "schema" | "check"> {
  const schema = schemas.ofArguments(field.args);
  for (const argument of field.args) {
    const bounds = field.extensions[ARGUMENT_SCHEMA + argument.name] as JsonSchema | undefined;
    if (bounds !== undefined) {
      (schema["properties"] as Record<string, JsonSchema>)[argument.name] = schemas.ofType(
        argument.type,
        bounds,
      );
    }
  }
  return {
    listArguments: new Set([...LIST_ARGUMENTS, ...choosingRows(field)]),
    schema,
    check: withListErrors(
      lazily(() => validator.compile(schema)),
      field,
    ),
  };
}

type CheckedField = Pick<GraphQLField<unknown, unknown>, "args" | "extensions">;

function choosingRows({ args }: CheckedField): string[] {
  return args.filter(({ extensions }) => extensions[CHOOSES_ROWS] === true).map(({ name }) => name);
}

/** @throws Error when the company may be left out and several rows could decide it. */
function companyOf(
  { name, args, extensions }: GraphQLField<unknown, unknown>,
  rows: number,
): Pick<Operation, "hasCompany" | "companyIsOptional"> {
  const argument = args.find((candidate) => candidate.name === "companyId");
  const companyIsOptional = argument !== undefined && !isNonNullType(argument.type);
  if (companyIsOptional && rows > 1) throw new Error(`${name} names several rows, but no company`);
  const isDeleted = extensions[OF_DELETED_COMPANY] === true;
  return { hasCompany: argument !== undefined && !isDeleted, companyIsOptional };
}

function auditing(
  kind: Operation["kind"],
  { name, extensions }: GraphQLField<unknown, unknown>,
): Pick<Operation, "isAudited" | "hasOwnTransaction"> {
  const rule = extensions[AUDIT] as AuditRule | undefined;
  if (kind === "query") return { isAudited: false, hasOwnTransaction: false };
  if (rule === undefined) throw new Error(`mutation ${name} does not declare how it is recorded`);
  return { isAudited: rule.isAudited, hasOwnTransaction: rule.isAudited && rule.byService };
}

function deletedRowsOf({ name, args, extensions }: GraphQLField<unknown, unknown>): Area | null {
  const argument = args.find((candidate) => candidate.name === "withDeleted");
  if (argument === undefined) return null;
  const area = (argument.extensions[DELETED_ROWS_OF] ?? extensions[DELETED_ROWS_OF]) as Area | undefined;
  if (area === undefined) throw new Error(`${name} does not declare who may see deleted rows`);
  return area;
}

/** Adds to a check what the list says of its arguments. */
function withListErrors(check: Check, { args }: CheckedField): Check {
  const checked = args.map(({ extensions }) => extensions[CHECKED_LIST]).find((list) => list !== undefined);
  if (checked === undefined) return check;
  return (value, reading) => {
    const findings = check(value, reading);
    const wrong = listErrors(checked as CheckedList, value as Readonly<Record<string, unknown>>);
    return wrong.length === 0 ? findings : { ...findings, errors: [...findings.errors, ...wrong] };
  };
}

/** Compiles a check at its first use, so that the start does not wait for validators that may never be needed. */
function lazily(compile: () => Check): Check {
  let compiled: Check | undefined;
  return (value, reading) => (compiled ??= compile())(value, reading);
}
