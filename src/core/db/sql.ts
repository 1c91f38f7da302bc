/** A statement or a part of one: texts and the values between them, which never become text. */
export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** The text with `$1`, `$2` … in the places of the values. */
  readonly text: string;
  /** The text with `?` in the places of the values, by which Prisma knows a statement. */
  readonly sql: string;
}

class Part implements Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  private known: string | undefined;

  constructor(strings: readonly string[], values: readonly unknown[]) {
    if (values.some((value) => value instanceof Part)) [strings, values] = flattened(strings, values);
    this.strings = strings;
    this.values = values;
  }

  get text(): string {
    return (this.known ??= this.strings.reduce((text, part, i) => `${text}$${i}${part}`));
  }

  get sql(): string {
    return this.strings.join("?");
  }
}

function flattened(strings: readonly string[], values: readonly unknown[]): [string[], unknown[]] {
  const texts = [strings[0] as string];
  const bound: unknown[] = [];
  values.forEach((value, i) => {
    const after = strings[i + 1] as string;
    if (!(value instanceof Part)) {
      bound.push(value);
      texts.push(after);
      return;
    }
    const [first = "", ...others] = value.strings;
    texts.push(`${texts.pop() ?? ""}${first}`, ...others);
    texts.push(`${texts.pop() ?? ""}${after}`);
    bound.push(...value.values);
  });
  return [texts, bound];
}

/** A statement or a part of one, from a template: what stands in `${}` is bound as a value, or is a part. */
export function sql(strings: readonly string[], ...values: readonly unknown[]): Sql {
  return sqlOf(strings, values);
}

/** @param values may be parts themselves, which are put in their places. */
export function sqlOf(strings: readonly string[], values: readonly unknown[]): Sql {
  return new Part(strings, values);
}

/** Values or parts one after the other. @param separator is text. */
sql.join = (parts: readonly unknown[], separator = ","): Sql => {
  if (parts.length === 0) throw new Error("Nothing is joined: SQL has no empty list.");
  return new Part(["", ...Array<string>(parts.length - 1).fill(separator), ""], parts);
};

/** Text of the service's own, such as the name of a column: never of a caller. */
sql.raw = (text: string): Sql => new Part([text], []);

/** Nothing. */
sql.empty = new Part([""], []);
