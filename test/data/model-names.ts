import { existsSync, readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { delegateName, type ModelName } from "../../src/core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../src/generated/models.js";

const ROOT = new URL("../../", import.meta.url);
const SCHEMA = new URL("prisma/schema/", ROOT);

/** What a model is called: in the schema, on Prisma's client, and in SQL. */
export interface Names {
  readonly model: string;
  readonly delegate: string;
  readonly table: string;
  /** Says whether its rows are callers: their kind, and the word for all of them, are words of the kit. */
  readonly isPrincipal: boolean;
}

/** A name of a model in a source. */
export interface Found {
  readonly name: string;
  readonly line: number;
}

/** Methods of Prisma's delegates begin so; what has none of them after its name is no delegate. */
const METHOD = /^(?:find|create|update|upsert|delete|count|aggregate|groupBy|fields$)/u;
const IN_SQL = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|ON|OF|USING|ONLY) "?(?<word>\w+)|"(?<quoted>\w+)"/gu;

/** Returns the names of the models of slices: those whose file has a folder in `slices` and none in the engine. */
export function modelsOfSlices(): Names[] {
  return readdirSync(SCHEMA)
    .filter((file) => isOfSlice(file.replace(/\.prisma$/u, "")))
    .flatMap((file) => [
      ...readFileSync(new URL(file, SCHEMA), "utf8").matchAll(/^model (?<model>\w+) \{/gmu),
    ])
    .map(({ groups }) => groups?.["model"] as ModelName)
    .map((model) => ({
      model,
      delegate: delegateName(model),
      table: MODEL_FACTS[model].table,
      isPrincipal: MODEL_FACTS[model].principal !== null,
    }));
}

function isOfSlice(name: string): boolean {
  const has = (room: string): boolean => existsSync(new URL(`src/${room}/${name}`, ROOT));
  return has("slices") && !has("engine");
}

/** Returns the names of models in the text of a source; comments and sentences may have them. */
export function namesIn(path: string, text: string, models: readonly Names[]): Found[] {
  return path.endsWith(".sql") ? namesInSql(text, models) : namesInCode(text, models);
}

function namesInSql(text: string, models: readonly Names[]): Found[] {
  const tables = new Set(models.map(({ table }) => table));
  return text
    .split("\n")
    .flatMap((line, index) =>
      [...line.replace(/--.*$/u, "").matchAll(/\w+/gu)]
        .filter(([word]) => tables.has(word))
        .map(([name]) => ({ name, line: index + 1 })),
    );
}

function namesInCode(text: string, models: readonly Names[]): Found[] {
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const known = new Known(models);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push(...known.namesOf(node).map((name) => ({ name, line })));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

class Known {
  private readonly models: ReadonlySet<string>;
  private readonly delegates: ReadonlySet<string>;
  private readonly tables: ReadonlySet<string>;
  /** Strings that name a model or its rows. */
  private readonly texts: ReadonlySet<string>;

  constructor(names: readonly Names[]) {
    this.models = new Set(names.map(({ model }) => model));
    this.delegates = new Set(names.map(({ delegate }) => delegate));
    this.tables = new Set(names.map(({ table }) => table));
    this.texts = new Set(
      names.flatMap(({ model, delegate, table, isPrincipal }) =>
        isPrincipal ? [model] : [model, delegate, table],
      ),
    );
  }

  /** Returns the names that a node has by itself. */
  namesOf(node: ts.Node): string[] {
    if (ts.isIdentifier(node)) return this.isName(node) ? [node.text] : [];
    if (!isText(node)) return [];
    if (ts.isStringLiteral(node) && this.texts.has(node.text)) return this.isKey(node) ? [] : [node.text];
    return [...node.text.matchAll(IN_SQL)]
      .map(({ groups }) => groups?.["word"] ?? groups?.["quoted"] ?? "")
      .filter((word) => this.tables.has(word));
  }

  private isName(node: ts.Identifier): boolean {
    const { text, parent } = node;
    const owner = ownerOf(node);
    if (owner === "Prisma") return [...this.models].some((model) => isPartOf(model, text));
    if (this.models.has(text)) return owner === null;
    if (!this.delegates.has(text)) return false;
    return /[A-Z]/u.test(text) || (ts.isPropertyAccessExpression(parent) && isCalledUpon(parent, node));
  }

  /** Returns whether a word is the key of an object, as `properties` is of a JSON Schema, and no delegate. */
  private isKey({ text, parent }: ts.StringLiteral): boolean {
    return ts.isElementAccessExpression(parent) && !this.delegates.has(text);
  }
}

/** Returns what stands before the dot of a name; `null` for a name that stands alone. */
function ownerOf(node: ts.Identifier): string | null {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return parent.expression.getText();
  if (ts.isQualifiedName(parent) && parent.right === node) return parent.left.getText();
  return null;
}

/** Returns whether a type of Prisma, such as `GoodWhereInput`, is one of the model. */
function isPartOf(model: string, text: string): boolean {
  return text.startsWith(model) && /^(?:$|[A-Z$])/u.test(text.slice(model.length));
}

/** Returns whether a method of a delegate is called on `owner.name`. */
function isCalledUpon(access: ts.PropertyAccessExpression, name: ts.Identifier): boolean {
  const { parent } = access;
  return access.name === name && ts.isPropertyAccessExpression(parent) && METHOD.test(parent.name.text);
}

type Text = ts.StringLiteralLike | ts.TemplateLiteralToken;

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}
