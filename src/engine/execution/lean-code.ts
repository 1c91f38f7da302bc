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

/** Text of a function that handles an item of a list: its name, its parameters, and the call that takes the item. */
const ITEM =
  /function (\w+)\(([^)]*)\) \{\s*__context\.rt\.handleListItemResult\(__context, __currentItem,\s*result => \{\s*(\w+\(__context, resultArray, )result(, [^)]*\));\s*\},/gu;

/** A call of a resolver, and what takes its result or its error: the call, what takes the result, of what, and the indexes. */
const RESOLVER =
  /__context\.rt\.callResolver\(__context,\s*\(\) => ([^;]*?),\s*result => \{\s*(\w+)\(__context, ([^,]+), result, ([^)]*)\);\s*\},\s*(err => \{\s*if \(err\) \{[^;]*;\s*\} else \{[^;]*;\s*\}\s*\})\s*\);/gu;

/** What a resolver is told of its field, with the path to it: the resolver, its other arguments, and that. */
const INFO = /^(\s*(__context\.resolvers\.\w+)\([^{]*?, )(__context\.resolveInfos\.[^;]*)\)$/u;

/** A resolver that declares no more parameters than this is told nothing of its field. */
const PARAMETERS_BESIDE_INFO = 3;

/**
 * Returns the code with quick ways for what is usual:
 *
 * - each value is looked at before it is checked;
 * - an item of a list, and the result of a resolver, are taken at once where they are no promises. The functions that wait for
 *   a promise or take an error are made for those alone;
 * - what a resolver is told of its field is made for those alone that take it.
 */
export function leanCode(code: string): string {
  return withQuickResolvers(withQuickItems(withQuickValues(code)));
}

function withQuickItems(code: string): string {
  return code.replace(ITEM, (whole, ...[name, parameters, call, rest]: [string, string, string, string]) => {
    const quick = `if (!__context.rt.isPromise(__currentItem)) ${call}__currentItem${rest};`;
    return `function ${name}(${parameters}) { ${quick} else ${name}Later(${parameters}); }
      ${whole.replace(name, `${name}Later`)}`;
  });
}

function withQuickResolvers(code: string): string {
  const others: string[] = [];
  const quick = code.replace(
    RESOLVER,
    (_, ...[call, take, parent, indexes, fail]: [string, string, string, string, string]) => {
      const other = `resolvedLater${others.length}`;
      others.push(`function ${other}(__context, __parent, __hasFailed, __value, ${indexes}) {
        __context.rt.callResolver(__context,
          () => { if (__hasFailed) throw __value; return __value; },
          result => { ${take}(__context, __parent, result, ${indexes}); },
          ${fail});
      }`);
      return `let __value, __hasFailed = false;
        try { __value = ${withInfoIfTaken(call)}; } catch (__error) { __hasFailed = true; __value = __error; }
        if (!__hasFailed && !__context.rt.isPromise(__value)) ${take}(__context, ${parent}, __value, ${indexes});
        else ${other}(__context, ${parent}, __hasFailed, __value, ${indexes});`;
    },
  );
  return [quick, ...others].join("\n");
}

function withInfoIfTaken(call: string): string {
  return call.replace(
    INFO,
    (_, ...[before, resolver, info]: [string, string, string]) =>
      `${before}${resolver}.length > ${PARAMETERS_BESIDE_INFO} ? ${info} : undefined)`,
  );
}

/** Returns the code with a look for usual values before each check of a value. */
function withQuickValues(code: string): string {
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
