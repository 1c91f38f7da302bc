import { registerEnumType } from "type-graphql";

/** A GraphQL enum: each word of the closed set under its own name. */
export type Enum<Word extends string> = Readonly<{ [Key in Word]: Key }>;

/**
 * Declares a closed set as a GraphQL enum. Its values are the words of the specification as they are (contract §2.9),
 * so they are the same in GraphQL, REST, refusals and the database.
 *
 * @param options.values describes each word.
 * @returns what fields and inputs name as their type.
 */
export function defineEnum<const Word extends string>(
  name: string,
  words: readonly Word[],
  { description, values }: { description: string; values: Readonly<Record<Word, string>> },
): Enum<Word> {
  const declared = Object.fromEntries(words.map((word) => [word, word])) as Enum<Word>;
  registerEnumType(declared, {
    name,
    description,
    valuesConfig: Object.fromEntries(words.map((word) => [word, { description: values[word] }])) as Record<
      Word,
      { description: string }
    >,
  });
  names.set(declared, name);
  return declared;
}

const names = new WeakMap<object, string>();

/** The name of an enum that `defineEnum` declared. */
export function enumName(declared: Enum<string>): string {
  const name = names.get(declared);
  if (name === undefined) throw new Error("an enum has to be declared by defineEnum");
  return name;
}
