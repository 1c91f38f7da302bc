/**
 * Calls graphql-jit and makes its code lean: what an error needs is made only where a value is not as usual.
 *
 * The compiler's own code makes the places of a possible error, two arrays, for each value of each row. V8 leaves them out
 * only until such a check meets an error, which a row that is not found is enough for; from then on they are a third of what
 * a nested list allocates.
 *
 * @returns what was compiled, and how many characters of code that took.
 */
export function compileLean<Compiled>(compile: () => Compiled): { compiled: Compiled; characters: number } {
  const { Function: native } = globalThis;
  let characters = 0;
  const construct = (target: typeof Function, texts: readonly string[]): object => {
    const lean = texts.map(leanCode);
    characters += lean.join("").length;
    return Reflect.construct(target, lean);
  };
  // The compiler makes functions of its texts at once, and shows the texts to nobody before.
  globalThis.Function = new Proxy(native, { construct });
  try {
    const compiled = compile();
    return { compiled, characters };
  } finally {
    globalThis.Function = native;
  }
}

/** Whether a value is one that its type answers as it is. */
const AS_IT_IS: ReadonlyMap<string, (value: string) => string> = new Map([
  ["Boolean", (value) => `typeof ${value} === "boolean"`],
  ["Float", (value) => `Number.isFinite(${value})`],
  ["ID", (value) => `typeof ${value} === "string"`],
  ["Int", (value) => `typeof ${value} === "number" && (${value} | 0) === ${value}`],
  ["String", (value) => `typeof ${value} === "string"`],
]);

/** A check of a value: whether it may be null, the value, what answers it, its type, what notes its error, and the indexes. */
const CHECK =
  /__context\.rt\.check(NonNull|Nullable)Leaf\(__context, ([\w.]+), [^\n]*? (__context\.serializers\.(\w+)Serializer), (\w+(?:, idx\d+)*)\)/gu;

/** Returns the code with a look for usual values before each check of a value. */
export function leanCode(code: string): string {
  return code.replace(
    CHECK,
    (check, ...[nulls, value, answer, type, rest]: [string, string, string, string, string]) => {
      const usual = AS_IT_IS.get(type);
      const quick =
        usual === undefined
          ? `${value} != null && !(${value} instanceof Error) ? ${answer}(__context, ${value}, ${rest})`
          : `${usual(value)} ? ${value}`;
      const none = nulls === "Nullable" ? `${value} == null ? null : ` : "";
      return `(${quick} : ${none}${check})`;
    },
  );
}
