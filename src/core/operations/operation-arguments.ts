import { createParameterDecorator, Extensions, Int } from "type-graphql";
import type { Area } from "../access/permissions.js";
import type { FieldError } from "../errors/domain-error.js";
import type { ModelName } from "../scope/tenant-models.js";
import { describe } from "../inputs/input-fields.js";
import type { JsonSchema } from "../inputs/json-schema.js";
import type { OperationContext } from "./operation-context.js";

/** Keys under which an operation's field keeps what its arguments mean. */
export const ID_ARGUMENT = "idArgument:";
export const ARGUMENT_SCHEMA = "argumentSchema:";
export const STORED_RULE = "storedRule";
/** Key under which an argument or its operation keeps the area whose admins may ask for deleted rows. */
export const DELETED_ROWS_OF = "deletedRowsOf";

/** Key under which the argument `filter` keeps the list by which it and the arguments beside it are checked. */
export const CHECKED_LIST = "checkedList";

/** Key under which an argument says that it only chooses rows, as a filter does. */
export const CHOOSES_ROWS = "choosesRows";

/** Key under which the field of a bulk operation says that it is one, and the name of its argument with the ids. */
export const IS_BULK = "isBulk";
export const BULK_IDS = "ids";
/** The name of the argument of a bulk operation with a value for each row. A wrong field costs its row alone. */
export const BULK_ROWS = "rows";

/** Key under which a field that answers a row for each entry of an argument keeps the name of that argument. */
export const ROWS_NAMED_BY = "rowsNamedBy";

/**
 * Finds wrong fields that only stored rows can show, such as a name that is taken. It runs even when other fields are
 * wrong, so that the caller hears of all at once. So the input is unchecked: only its presence is sure, and texts may
 * hold characters that no row can hold.
 */
export type StoredRule = (
  input: Readonly<Record<string, unknown>>,
  context: OperationContext,
  args: Readonly<Record<string, unknown>>,
) => Promise<readonly FieldError[]>;

/** The model whose row an argument names. */
export interface EntityReference {
  readonly model: ModelName;
  readonly includesDeleted: boolean;
}

const remember = (prototype: object, method: string | symbol, extensions: Record<string, unknown>): void => {
  (Extensions(extensions) as MethodDecorator)(prototype, method, {});
};

type MethodParameterDecorator = (
  prototype: object,
  method: string | symbol | undefined,
  index: number,
) => void;

/**
 * Adds the argument `companyId` and yields the `CompanyScope` of that company. The guard has checked the caller against
 * the company before: it refuses another company with 403 and an unknown one with 404.
 */
export function Company(): MethodParameterDecorator {
  const parameter = createParameterDecorator<OperationContext>(
    ({ context, args }) => context.companyScope(args["companyId"] as number),
    { arg: { name: "companyId", typeFunc: () => Int, options: { description: "Id of the company." } } },
  );
  return (prototype, method, index) => parameter(prototype, method as string, index);
}

/** Key under which a mutation keeps that its company is a deleted one, in which nobody acts. */
export const OF_DELETED_COMPANY = "ofDeletedCompany";

/** Adds the argument `companyId` of a company that is deleted, and yields the id: there is no scope of such a company. */
export function DeletedCompanyId(): MethodParameterDecorator {
  const parameter = createParameterDecorator<OperationContext>(({ args }) => args["companyId"] as number, {
    arg: { name: "companyId", typeFunc: () => Int, options: { description: "Id of the deleted company." } },
  });
  return (prototype, method, index) => {
    remember(prototype, method as string, { [OF_DELETED_COMPANY]: true });
    parameter(prototype, method as string, index);
  };
}

const OPTIONAL_COMPANY = {
  name: "companyId",
  typeFunc: () => Int,
  options: { nullable: true, description: "Id of the company; that of the token when absent." },
};

/**
 * Adds the argument `companyId`, which callers may leave out, and yields the `CompanyScope` of the company. Without it the
 * company is that of the token and, for the platform, that of the row which the operation's `@EntityId()` names. The guard
 * has checked the caller against either.
 */
export function CompanyOfRow(): MethodParameterDecorator {
  const parameter = createParameterDecorator<OperationContext>(
    ({ context, args }) => context.companyScope(args["companyId"] as number),
    { arg: OPTIONAL_COMPANY },
  );
  return (prototype, method, index) => parameter(prototype, method as string, index);
}

/**
 * Adds the argument `companyId`, which callers may leave out, and yields the rows of a list: those of the company, without it
 * those of the token's company and, for the platform, those of all companies.
 */
export function RowsOfCompanies(model: ModelName): MethodParameterDecorator {
  const options = {
    ...OPTIONAL_COMPANY.options,
    description: "Id of the company; when absent that of the token, for the platform all companies.",
  };
  const parameter = createParameterDecorator<OperationContext>(
    ({ context, args }) => context.listSource(model, args["companyId"] as number | null),
    { arg: { ...OPTIONAL_COMPANY, options } },
  );
  return (prototype, method, index) => parameter(prototype, method as string, index);
}

/**
 * An argument that names a row of `model` in the company; in REST it is a path parameter. A row that does not exist is
 * answered before wrong fields of the input (contract §6.3).
 */
export function EntityId(
  name: string,
  model: ModelName,
  options: {
    /** Says whether deleted rows count as existing, as when one is to be restored. */
    includesDeleted?: boolean;
  } = {},
): MethodParameterDecorator {
  const parameter = createParameterDecorator<OperationContext>(({ args }) => args[name] as unknown, {
    arg: { name, typeFunc: () => Int, options: { description: `Id of the ${words(model)}.` } },
  });
  return (prototype, method, index) => {
    remember(prototype, method as string, {
      [ID_ARGUMENT + name]: {
        model,
        includesDeleted: options.includesDeleted ?? false,
      } satisfies EntityReference,
    });
    parameter(prototype, method as string, index);
  };
}

/**
 * The argument `withDeleted`: whether a deleted row is answered, too. The guard allows it only to admins who may see or
 * edit the area.
 */
export function WithDeleted(area: Area): MethodParameterDecorator {
  const description = `Also a deleted one; for admins who may see or edit ${area.replaceAll("_", " ")}.`;
  const parameter = createParameterDecorator<OperationContext>(({ args }) => args["withDeleted"] === true, {
    arg: { name: "withDeleted", typeFunc: () => Boolean, options: { nullable: true, description } },
  });
  return (prototype, method, index) => {
    remember(prototype, method as string, { [DELETED_ROWS_OF]: area });
    parameter(prototype, method as string, index);
  };
}

/** The argument `offset` of a list without pages, by which it is read on when it has more rows than it answers. */
export function Offset(): MethodParameterDecorator {
  const description = "How many rows to skip: 10,000 to go on where a longer list ends.";
  const parameter = createParameterDecorator<OperationContext>(
    ({ args }) => (args["offset"] as number | null) ?? 0,
    {
      arg: { name: "offset", typeFunc: () => Int, options: { nullable: true, description } },
    },
  );
  return (prototype, method, index) => {
    remember(prototype, method as string, { [`${ARGUMENT_SCHEMA}offset`]: { minimum: 0 } });
    parameter(prototype, method as string, index);
  };
}

/**
 * The argument `input`: the body of the operation.
 *
 * @param options.schema JSON Schema that the body has to meet besides that of its type.
 * @param options.stored finds wrong fields that only stored rows can show.
 */
export function Input(
  type: () => unknown,
  options: { description: string; nullable?: boolean; schema?: JsonSchema; stored?: StoredRule },
): MethodParameterDecorator {
  const { schema, stored, ...declared } = options;
  const argument = { ...declared, description: describe(declared.description, schema ?? {}) };
  return (prototype, method, index) => {
    if (stored !== undefined) remember(prototype, method as string, { [STORED_RULE]: stored });
    if (schema !== undefined) remember(prototype, method as string, { [`${ARGUMENT_SCHEMA}input`]: schema });
    const parameter = createParameterDecorator<OperationContext>(({ args }) => args["input"] as unknown, {
      arg: { name: "input", typeFunc: type as () => typeof String, options: argument },
    });
    parameter(prototype, method as string, index);
  };
}

function words(model: string): string {
  return model.replace(/(?<=[a-z])([A-Z])/gu, " $1").toLowerCase();
}
