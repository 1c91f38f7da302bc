/**
 * Reads what `prisma/schema` says of each model beside its columns, and writes it down for the service: Prisma's client keeps
 * neither names of tables nor comments. Marks are lines of a model's comment; which there are is told in `prisma/README.md`.
 */

const MODEL = /(?<comment>(?:^\/\/\/.*\n)*)^model (?<name>\w+) \{\n(?<body>[^]*?)^\}/gmu;

/**
 * Returns the text of `src/generated/models.ts`.
 *
 * @param {string[]} files are the texts of the files of the schema.
 * @throws {Error} for a model without a mark, and for a mark that cannot be read.
 */
export function modelFacts(files) {
  const facts = files
    .flatMap((text) => [...text.matchAll(MODEL)])
    .map(({ groups: { name, comment, body } }) => [name, factsOf(name, comment, body)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `// Generated from prisma/schema by src/tools/model-facts.mjs.
import type { Prisma } from "./prisma/client.js";

/** How the audit trail follows the rows of a model. */
export interface AuditFacts {
  /** The columns whose values nobody may see. */
  readonly hides: readonly string[];
  /** The columns whose changes are told; all when it is empty. */
  readonly updates: readonly string[];
  /** Whether the entries of new rows are written once for the whole statement. */
  readonly inBatches: boolean;
}

export interface ModelFacts {
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** \`null\` for a model whose rows the audit trail leaves out. */
  readonly audit: AuditFacts | null;
}

export const MODEL_FACTS: Readonly<Record<Prisma.ModelName, ModelFacts>> = ${JSON.stringify(Object.fromEntries(facts), null, 2)};
`;
}

function factsOf(model, comment, body) {
  const columns = new Map(
    [...body.matchAll(/^ {2}(?<field>\w+) +\w(?<rest>.*)$/gmu)].map(({ groups: { field, rest } }) => [
      field,
      / @map\("(?<column>\w+)"\)/u.exec(rest)?.groups.column ?? field,
    ]),
  );
  const columnsOf = (fields, where) =>
    fields.map((field) => {
      const column = columns.get(field);
      if (column === undefined) throw new Error(`${model} has no field ${field}, which ${where} names.`);
      return column;
    });
  const key =
    /^ {2}@@id\(\[(?<fields>[\w, ]+)\]/mu.exec(body)?.groups.fields.split(/, */u) ??
    [...body.matchAll(/^ {2}(?<field>\w+) .* @id\b/gmu)].map(({ groups }) => groups.field);
  return {
    table: /^ {2}@@map\("(?<table>\w+)"\)/mu.exec(body)?.groups.table ?? model,
    key: columnsOf(key, "@@id"),
    audit: auditOf(model, comment, columnsOf),
  };
}

function auditOf(model, comment, columnsOf) {
  const marks = [...comment.matchAll(/^\/\/\/ @(?<mark>(?:un)?audited)(?<details>.*)$/gmu)];
  if (marks.length !== 1) throw new Error(`${model} needs one of the marks @audited and @unaudited.`);
  const { mark, details } = marks[0].groups;
  const facts = { hides: [], updates: [], inBatches: false };
  for (const detail of details.split(" ").filter((word) => word !== "")) {
    const [word, fields] = detail.split("=");
    if (mark === "audited" && (word === "hides" || word === "updates") && fields)
      facts[word] = columnsOf(fields.split(","), `@${mark}`);
    else if (mark === "audited" && detail === "inBatches") facts.inBatches = true;
    else throw new Error(`${model}: @${mark} cannot say ${detail}.`);
  }
  return mark === "audited" ? facts : null;
}
