import { capitalized } from "./names.js";
import { exampleOf, MOST_CHARACTERS, type NewResource } from "./new-files.js";

/** A line that a file gets which other resources have lines in, too. */
interface Join {
  readonly file: string;
  readonly line: string;
  /** The lines of its kind: it is put among them in their order, or behind the last one. */
  readonly beside: RegExp;
  /** Says whether lines of that kind are in alphabetical order. */
  readonly isSorted?: boolean;
}

/**
 * Returns the new texts of the files that join a resource to the others.
 *
 * @param read returns the text of a file by its path from the root of the project.
 * @throws Error when a file has no line beside which the new one belongs.
 */
export function joinedFiles(resource: NewResource, read: (path: string) => string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const join of joinsOf(resource)) texts[join.file] = joined(texts[join.file] ?? read(join.file), join);
  return texts;
}

function joinsOf(resource: NewResource): Join[] {
  const { type, one, many, slice } = resource.names;
  const loader = `load${capitalized(many)}`;
  return [
    {
      file: "prisma/schema/companies.prisma",
      line: `  ${many} ${type}[]`,
      beside: /^ {2}\w+ +\w+\[\]$/u,
    },
    {
      file: "src/schema.ts",
      line: `import { ${many}Resolvers } from "./slices/${slice}/${slice}.resolvers.js";`,
      beside: /^import .* from "\.\/slices\/.*\.resolvers\.js";$/u,
      isSorted: true,
    },
    {
      file: "src/schema.ts",
      line: `  ...${many}Resolvers,`,
      beside: /^ {2}\.\.\.\w+Resolvers,$/u,
      isSorted: true,
    },
    {
      file: "src/demo/load.ts",
      line: `import { ${loader} } from "./load-${slice}.js";`,
      beside: /^import .* from "\.\/load-.*\.js";$/u,
    },
    // Entries of the audit trail are about rows that are there, so its loader stays last.
    {
      file: "src/demo/load.ts",
      line: `  await ${loader}(target);`,
      beside: /^ {2}await load(?!AuditTrail)\w+\(target.*\);$/u,
    },
    { file: "test/support/fill-company.ts", line: fillerOf(resource), beside: /^ {2}\}\),$/u },
    {
      file: "test/resources/resource-cases.ts",
      line: caseOf(resource),
      beside: /^ {2}(?:named\(.*\)|\}\)|\}),$/u,
    },
    // The contract has its routes in a file of their own; further ones are agreed here.
    {
      file: "test/rest/coverage.test.ts",
      line: `  /^\\/companies\\/\\{companyId\\}\\/${slice}(?:\\/\\{${one}Id\\})?$/u,`,
      beside: /^ {2}\/\^\\\/.*\/u,$/u,
    },
  ];
}

function joined(text: string, { file, line, beside, isSorted = false }: Join): string {
  const lines = text.split("\n");
  const places = lines.flatMap((one, index) => (beside.test(one) ? [index] : []));
  const last = places.at(-1);
  if (last === undefined) throw new Error(`${file} has no line beside which ${line.trim()} belongs`);
  const after = isSorted ? places.find((index) => (lines[index] as string) > line) : undefined;
  lines.splice(after ?? last + 1, 0, line);
  return lines.join("\n");
}

function fillerOf({ names, columns }: NewResource): string {
  const fields = [`name: \`${capitalized(names.words)} \${n}\``, ...columns.map(exampleOf)];
  return `  ${names.type}: (_, n) => ({ ${fields.join(", ")} }),`;
}

function caseOf({ names, area, columns }: NewResource): string {
  const begin = `  named("${names.type}", "${names.many}", "${area}"`;
  if (columns.length === 0) return `${begin}),`;
  const wrong = {
    text: [`"n".repeat(${MOST_CHARACTERS + 1})`, "max_length"],
    int: ["-1", "min"],
    boolean: ["null", "type"],
  } as const;
  return `${begin}, {
    input: () => Promise.resolve({ ${columns.map(exampleOf).join(", ")} }),
    wrong: { ${columns.map(({ field, kind }) => `${field}: ${wrong[kind][0]}`).join(", ")} },
    refusals: [${columns.map(({ field, kind }) => `"${field}:${wrong[kind][1]}"`).join(", ")}],
  }),`;
}
