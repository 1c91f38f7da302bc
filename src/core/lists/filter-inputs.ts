import { Field, InputType, Int, Float } from "type-graphql";
import { type Enum, enumName } from "../enums.js";
import { DateTime } from "../scalars/date-time.js";
import { SafeInt } from "../scalars/safe-int.js";

type ScalarType = () => typeof String;

/** Builds a comparison input with all operators that make sense for the scalar (contract §4.3). */
function comparison(
  name: string,
  scalar: () => unknown,
  kind: "ordered" | "text" | "code" | "choice" | "equality",
  words: Readonly<Record<string, string>> = {},
): new () => object {
  class Comparison {}
  InputType(name, { description: "Conditions on a field; all of them must hold." })(Comparison);
  const add = (operator: string, type: () => unknown, description: string): void => {
    Field(type as ScalarType, { nullable: true, description: words[operator] ?? description })(
      Comparison.prototype,
      operator,
    );
  };
  add("eq", scalar, "Equal.");
  add("ne", scalar, "Not equal.");
  if (kind !== "equality") {
    add("in", () => [scalar()], "One of these.");
    add("nin", () => [scalar()], "None of these.");
  }
  if (kind !== "equality" && kind !== "choice") {
    add("lt", scalar, "Less than.");
    add("lte", scalar, "At most.");
    add("gt", scalar, "Greater than.");
    add("gte", scalar, "At least.");
  }
  if (kind === "text") {
    add("contains", scalar, "Contains this text, whatever its case and accents.");
    add(
      "words",
      scalar,
      "Contains each of these words, at most ten, in any order, whatever their case and accents.",
    );
    add("startsWith", scalar, "Starts with this text, whatever its case and accents.");
  }
  if (kind === "code") add("startsWith", scalar, "Starts with these characters, in any case.");
  add("isNull", () => Boolean, "Whether the field is null.");
  return Comparison;
}

@InputType("StringListFilterInput", {
  description: "Conditions on a list of texts; all of them must hold.",
})
class StringListComparison {
  @Field(() => String, {
    nullable: true,
    description: "One of the texts is this one, whatever its case and accents.",
  })
  eq?: string | null;

  @Field(() => [String], { nullable: true, description: "One of the texts is one of these." })
  in?: string[] | null;

  @Field(() => String, { nullable: true, description: "Means `eq`: the list contains this text." })
  contains?: string | null;
}

@InputType("KeysFilterInput", {
  description: "Conditions on the names of what a row holds; all of them must hold.",
})
class KeysComparison {
  @Field(() => String, { nullable: true, description: "It holds this one, or something within it." })
  eq?: string | null;

  @Field(() => [String], { nullable: true, description: "It holds one of these, or something within one." })
  in?: string[] | null;
}

const WordComparison = comparison("WordFilterInput", () => String, "choice");

/** Comparison inputs by the type of the field they compare. */
export const COMPARISONS = {
  int: comparison("IntFilterInput", () => Int, "ordered"),
  safeInt: comparison("SafeIntFilterInput", () => SafeInt, "ordered"),
  float: comparison("FloatFilterInput", () => Float, "ordered"),
  text: comparison("StringFilterInput", () => String, "text"),
  texts: StringListComparison,
  code: comparison("CodeFilterInput", () => String, "code"),
  /** A text that is compared as a whole and as it is, such as the name of an operation. */
  word: WordComparison,
  /** The keys of an object; a list that has such a field rewrites its conditions. */
  keys: KeysComparison,
  /** The id of a row in the company's own systems. */
  externalId: WordComparison,
  /** Ids of rows that the row is linked to. */
  ids: comparison("IdsFilterInput", () => Int, "choice", {
    eq: "Has this one.",
    ne: "Does not have this one.",
    in: "Has one of these.",
    nin: "Has none of these.",
    isNull: "Whether there is none.",
  }),
  boolean: comparison("BooleanFilterInput", () => Boolean, "equality"),
  dateTime: comparison("DateTimeFilterInput", () => DateTime, "ordered"),
} as const;

export type FilterKind = keyof typeof COMPARISONS | "enum";

const comparisonsOfEnums = new Map<Enum<string>, new () => object>();

/** The comparison input of an enum's fields. */
export function enumComparison(declared: Enum<string>): new () => object {
  let input = comparisonsOfEnums.get(declared);
  if (input === undefined) {
    input = comparison(`${enumName(declared)}FilterInput`, () => declared, "choice");
    comparisonsOfEnums.set(declared, input);
  }
  return input;
}
