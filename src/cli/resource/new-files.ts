import { capitalized, withArticle, type ResourceColumn, type ResourceNames } from "./names.js";

/** A resource that is to be made: it has a name, these columns, and the moments that all rows have. */
export interface NewResource {
  readonly names: ResourceNames;
  /** Whose permissions its operations need. */
  readonly area: string;
  readonly columns: readonly ResourceColumn[];
}

/** Most characters of a text, the same in the table and in the input. */
export const MOST_CHARACTERS = 255;

/** Returns the text of each file that a resource has for itself, by its path from the root of the project. */
export function newFiles(resource: NewResource): Record<string, string> {
  const { slice, file } = resource.names;
  return {
    [`prisma/schema/${slice}.prisma`]: model(resource),
    [`src/slices/${slice}/${slice}.constraints.sql`]: constraints(resource),
    [`src/slices/${slice}/${file}.model.ts`]: type(resource),
    [`src/slices/${slice}/${file}.resource.ts`]: operations(resource),
    [`src/slices/${slice}/${slice}.resolvers.ts`]: resolvers(resource),
    [`schema/rest/${slice}.graphql`]: rest(resource),
    [`src/demo/load-${slice}.ts`]: demo(resource),
  };
}

/** The example of an input, and the input of its tests. */
export function exampleOf({ field, words, kind }: ResourceColumn): string {
  const value = { text: JSON.stringify(capitalized(words)), int: "1", boolean: "true" }[kind];
  return `${field}: ${value}`;
}

function model({ names, columns }: NewResource): string {
  const kinds = { text: "String?", int: "Int?", boolean: "Boolean @default(true)" };
  const lines = columns.map(
    ({ field, column, kind }) => `  ${field} ${kinds[kind]}${field === column ? "" : ` @map("${column}")`}\n`,
  );
  return `/// ${capitalized(withArticle(names.words))}.
/// @audited
model ${names.type} {
  companyId Int @map("company_id")
  id Int @default(autoincrement())
  name String
${lines.join("")}  createdAt DateTime @default(now()) @map("created_at") @db.Timestamptz(3)
  updatedAt DateTime @default(now()) @updatedAt @map("updated_at") @db.Timestamptz(3)
  /// 1 at first, moved on by one at each change.
  version Int @default(1)
  /// Whether an earlier state of the row has the second of its latest change, too.
  sharesSecond Boolean @default(false) @map("shares_second")

  company Company @relation(fields: [companyId], references: [id], onDelete: Restrict, onUpdate: NoAction)

  @@id([companyId, id])
  @@index([companyId, name, id])
  @@index([companyId, createdAt, id])
  @@map("${names.table}")
}
`;
}

function constraints({ names: { table }, columns }: NewResource): string {
  const checks = [
    `char_length("name") <= ${MOST_CHARACTERS}`,
    ...columns.flatMap(({ column, kind }) => {
      if (kind === "text") return [`char_length("${column}") <= ${MOST_CHARACTERS}`];
      return kind === "int" ? [`"${column}" >= 0`] : [];
    }),
  ];
  const lines = checks.map((check) => {
    const column = /"(\w+)"/u.exec(check)?.[1] ?? "";
    return `    ADD CONSTRAINT "${table}_${column}_check" CHECK (${check})`;
  });
  return `-- Every row keeps these checks, whoever writes it.

ALTER TABLE "${table}"
${lines.join(",\n")};
`;
}

function type({ names, columns }: NewResource): string {
  const kinds = {
    text: ["String, { nullable: true, ", "string | null"],
    int: ["Int, { nullable: true, ", "number | null"],
    boolean: ["Boolean, { ", "boolean"],
  } as const;
  const fields = columns.map(({ field, words, kind }) => {
    const [declared, typed] = kinds[kind];
    return `  @Field(() => ${declared}description: "${capitalized(words)}." })
  ${field}!: ${typed};
`;
  });
  const graphql = [
    ...(columns.length > 0 ? ["Field"] : []),
    ...(columns.some(({ kind }) => kind === "int") ? ["Int"] : []),
    "ObjectType",
  ];
  return `import { ${graphql.join(", ")} } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "${capitalized(withArticle(names.words))}." })
export class ${names.type} extends NamedRow {
${fields.join("\n")}}

export const ${names.one}List = defineList(${names.type}, "${names.type}", NAMED_FIELDS);
`;
}

function operations({ names, area, columns }: NewResource): string {
  const kinds = {
    text: (words: string) => [
      `TextField({ description: "${words}.", nullable: true, max: ${MOST_CHARACTERS} })`,
      "string | null",
    ],
    int: (words: string) => [
      `IntField({ description: "${words}.", nullable: true, min: 0 })`,
      "number | null",
    ],
    boolean: (words: string) => [
      `BooleanField({ description: "${words}, true when absent.", optional: true })`,
      "boolean",
    ],
  };
  const fields = columns.map(({ field, words, kind }) => {
    const [decorator, typed] = kinds[kind](capitalized(words)) as [string, string];
    return `\n  @${decorator}\n  ${field}?: ${typed};\n`;
  });
  const decorators = { boolean: "BooleanField", int: "IntField", text: "TextField" } as const;
  const used = new Set(columns.map(({ kind }) => decorators[kind]));
  const imports = [...used, "InputObject", "partialInput"].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
  return `import { ${imports.join(", ")} } from "../../core/inputs/input-fields.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { ${names.type}, ${names.one}List } from "./${names.file}.model.js";

@InputObject({ description: "${capitalized(withArticle(names.words))}." })
class Create${names.type}Input {
  @NameField()
  name!: string;
${fields.join("")}}

export const ${names.one}Crud = resourceResolvers({
  model: "${names.type}",
  type: ${names.type},
  list: ${names.one}List,
  plural: "${names.many}",
  area: "${area}",
  create: Create${names.type}Input,
  update: partialInput(Create${names.type}Input, "Update${names.type}Input", {
    description: "Changes of ${withArticle(names.words)}.",
  }),
});
`;
}

function resolvers({ names }: NewResource): string {
  return `import { ${names.one}Crud } from "./${names.file}.resource.js";

/** Resolvers of ${names.manyWords}. */
export const ${names.many}Resolvers = [...${names.one}Crud] as const;
`;
}

function rest({ names, columns }: NewResource): string {
  const { type: typeName, one, many, slice } = names;
  const path = `/companies/{companyId}/${slice}`;
  const onePath = `${path}/{${one}Id}`;
  const example = [`name: "${capitalized(names.words)}"`, ...columns.map(exampleOf)].join(", ");
  return `# ${capitalized(names.manyWords)}.

fragment ${typeName}Resource on ${typeName} {
  __typename
}

query List${capitalized(many)}($companyId: Int!) @rest(method: GET, path: "${path}", dynamic: true) {
  ${many}(companyId: $companyId) {
    nodes {
      ...${typeName}Resource
    }
  }
}

query Show${typeName}($companyId: Int!, $${one}Id: Int!) @rest(method: GET, path: "${onePath}", dynamic: true) {
  ${one}(companyId: $companyId, id: $${one}Id) {
    ...${typeName}Resource
  }
}

mutation Create${typeName}($companyId: Int!, $input: Create${typeName}Input!)
@rest(
  method: POST
  path: "${path}"
  status: 201
  location: "${path}/{id}"
  example: { input: { ${example} } }
) {
  create${typeName}(companyId: $companyId, input: $input) {
    ...${typeName}Resource
  }
}

mutation Update${typeName}($companyId: Int!, $${one}Id: Int!, $input: Update${typeName}Input!)
@rest(method: PATCH, path: "${onePath}", example: { input: { name: "Another ${names.words}" } }) {
  update${typeName}(companyId: $companyId, id: $${one}Id, input: $input) {
    ...${typeName}Resource
  }
}

mutation Delete${typeName}($companyId: Int!, $${one}Id: Int!) @rest(method: DELETE, path: "${onePath}") {
  delete${typeName}(companyId: $companyId, id: $${one}Id) {
    id
  }
}
`;
}

function demo({ names, columns }: NewResource): string {
  const row = ["companyId", "name", ...columns.map(exampleOf)].join(", ");
  return `import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";

const NAMES = ["First ${names.words}", "Second ${names.words}", "Third ${names.words}"];

/** A few ${names.manyWords}. */
export async function load${capitalized(names.many)}({ db, companyId }: DemoTarget): Promise<void> {
  const rows = NAMES.map((name) => ({ ${row} }));
  await insertRows(db, "${names.type}", rows);
}
`;
}
