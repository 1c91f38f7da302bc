import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from "graphql";

/** What leaves the contract: it works as before until then. */
export interface Deprecation {
  readonly since: Date;
  /** The first moment at which it may be gone. */
  readonly until: Date;
}

const DAY = String.raw`\d{4}-\d{2}-\d{2}`;
const REASON = new RegExp(`\\S, since (?<since>${DAY}) until (?<until>${DAY})\\.$`, "u");
const LEAST_MONTHS = 6;

/**
 * Reads the end of a reason such as "Use `coupon`, since 2026-12-01 until 2027-06-01." (contract §1.3).
 *
 * @throws Error when the reason has no such end, or the days are less than six months apart.
 */
export function deprecationOf(reason: string): Deprecation {
  const days = REASON.exec(reason)?.groups;
  const since = new Date(days?.["since"] ?? NaN);
  const until = new Date(days?.["until"] ?? NaN);
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + LEAST_MONTHS);
  if (!(until >= earliest))
    throw new Error(`"${reason}" has to end in ", since DAY until DAY.", the days six months apart or more`);
  return { since, until };
}

/** @throws Error for the first deprecation in the schema that does not name its days. */
export function assertDeprecationsDated(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    for (const { deprecationReason } of type.name.startsWith("__") ? [] : membersOf(type))
      if (deprecationReason != null) deprecationOf(deprecationReason);
}

/** Returns all in a type that may be deprecated. */
function membersOf(type: GraphQLNamedType): readonly { readonly deprecationReason?: string | null }[] {
  if (isEnumType(type)) return type.getValues();
  if (isInputObjectType(type)) return Object.values(type.getFields());
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [field, ...field.args]);
}
