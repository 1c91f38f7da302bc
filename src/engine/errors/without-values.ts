import { isValueNode, print, type GraphQLError } from "graphql";

/** What messages about the text of a document quote, such as `Expected ":", found String "x"`. */
const QUOTED_TOKEN = /\b(?<kind>String|BlockString|Int|Float) ".*"(?=\.?$)/su;

/**
 * Returns the message of an error without the values that it quotes from the caller's document, since a value may be a
 * password. The locations of the error say where the value stands.
 */
export function withoutValues({ message, nodes = [] }: GraphQLError): string {
  const values = nodes.filter(isValueNode).map(print);
  const plain = values.reduce(
    (text, value) => text.replace(`: ${value}`, "").replace(`, found ${value}`, ""),
    message,
  );
  return plain.replace(QUOTED_TOKEN, "$<kind>");
}
