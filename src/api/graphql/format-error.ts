import { ApolloServerValidationErrorCode } from "@apollo/server/errors";
import { isEnumType, isIntrospectionType, type GraphQLFormattedError, type GraphQLSchema } from "graphql";
import type { FieldError } from "../../core/errors/domain-error.js";
import { presentError } from "../../engine/errors/present.js";

/**
 * Formats an error for GraphQL callers: with the code and status of `ERROR_CODES`; Apollo's own refusals keep their
 * codes.
 */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const shown = presentError(error);
  const { locations, path, extensions } = formatted;
  const apolloCode = shown.code === "BAD_REQUEST" ? extensions?.["code"] : undefined;
  return {
    message: shown.detail,
    ...(locations !== undefined && { locations }),
    ...(path !== undefined && { path }),
    extensions: {
      code:
        typeof apolloCode === "string" && apolloCode !== "INTERNAL_SERVER_ERROR" ? apolloCode : shown.code,
      status: shown.status,
      ...(shown.errors !== undefined && { errors: shown.errors }),
      ...shown.state,
      ...shown.lack,
      ...shown.broken,
      ...(shown.present !== undefined && { present: shown.present }),
      ...(shown.explanation !== undefined && { explanation: shown.explanation }),
      ...(shown.retryAfterSeconds !== undefined && { retryAfter: shown.retryAfterSeconds }),
    },
  };
}

/** What messages reveal of a schema, and what takes its place. */
type Disclosures = readonly (readonly [RegExp, string])[];

function disclosuresOf(schema: GraphQLSchema): Disclosures {
  const enums = Object.values(schema.getTypeMap()).filter(
    (type) => isEnumType(type) && !isIntrospectionType(type),
  );
  const anEnum = `\\[*(?:${enums.map(({ name }) => name).join("|")})[\\]!]*`;
  return [
    // graphql-js adds this to messages about names that it does not know.
    [/ Did you mean [^?]*\?/gu, ""],
    [/ does not exist in "\w+" enum/gu, " does not exist"],
    [/\bEnum "\w+" cannot represent/gu, "The enum cannot represent"],
    [new RegExp(`\\b[Tt]ypes? "${anEnum}"`, "gu"), "an enum"],
    [new RegExp(`"${anEnum}"`, "gu"), "an enum"],
  ];
}

/**
 * Returns what formats an error as `formatError` does, for a schema that must stay unknown: without the names that the caller
 * may have meant, the names and values of enums, and Apollo's advice on how to show the schema.
 */
export function formatterOfUnknown(schema: GraphQLSchema): typeof formatError {
  const disclosures = disclosuresOf(schema);
  const withoutNames = (message: string): string =>
    disclosures.reduce((text, [pattern, instead]) => text.replace(pattern, instead), message);
  return (formatted, error) => {
    const { message, extensions, ...rest } = formatError(formatted, error);
    const errors = extensions?.["errors"] as readonly FieldError[] | undefined;
    return {
      ...rest,
      message: isIntrospection(formatted) ? "Introspection is off." : withoutNames(message),
      extensions: {
        ...extensions,
        ...(errors !== undefined && {
          errors: errors.map((entry) => ({
            ...entry,
            message: entry.rule === "enum" ? "is none of the allowed values" : withoutNames(entry.message),
          })),
        }),
      },
    };
  };
}

function isIntrospection({ extensions }: GraphQLFormattedError): boolean {
  return extensions?.["validationErrorCode"] === ApolloServerValidationErrorCode.INTROSPECTION_DISABLED;
}
