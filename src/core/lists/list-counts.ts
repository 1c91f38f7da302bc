import { Field, Int, ObjectType } from "type-graphql";
import { compileFilter, type Where } from "./compile-filter.js";
import type { CountArguments, ListDefinition } from "./list-definition.js";
import { shownRows, type ListDelegate, type ListSource } from "./list-page.js";

@ObjectType({ description: "How many rows of a list have one value of a field." })
export class ValueCount {
  @Field(() => String, { nullable: true, description: "The value as text; null: rows without one." })
  value!: string | null;

  @Field(() => Int, { description: "How many rows have it, at least 1." })
  count!: number;
}

interface CountedValue {
  readonly value: string | number | boolean | null;
  readonly count: number;
}

/** Counts the rows of a list by the values of a field: at most 1,000 values, the most frequent first. */
export async function listCounts(
  definition: ListDefinition,
  source: ListSource,
  { by, filter }: CountArguments,
): Promise<ValueCount[]> {
  const where = shownRows(definition, source, compileFilter(filter, definition.fields, source.rewrites), {});
  const counted = await countedValues(definition, source, where, by);
  return counted.map(({ value, count }) => ({ value: value === null ? null : String(value), count }));
}

async function countedValues(
  definition: ListDefinition,
  { delegate, rewrites }: ListSource,
  where: Where,
  by: string,
): Promise<CountedValue[]> {
  const rewrite = rewrites?.[by];
  // The delegate answers rows when the count is by a field.
  if (rewrite === undefined) return (await delegate.count({ where, by })) as unknown as CountedValue[];
  const words = Object.keys(definition.fields[by]?.enum ?? {});
  const counts = await Promise.all(words.map((value) => countOf(delegate, where, rewrite({ eq: value }))));
  return words
    .map((value, place) => ({ value, count: counts[place] as number }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}

function countOf(delegate: ListDelegate, where: Where, condition: Where): Promise<number> {
  return delegate.count({ where: { ...where, AND: [...(where["AND"] as Where[]), condition] } });
}
