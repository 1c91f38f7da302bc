import ts from "typescript";

const WORD = /^[a-z][a-z_]*$/u;
/** A rule is a word; a picture's or a sheet's rule is an object. */
const TYPE_OF_RULES = /^(?:string$|"|keyof )/u;

/** A place of a call at which a rule stands. */
interface Place {
  readonly name: string;
  readonly index: number;
}

/**
 * Returns the rules that the texts of sources name: where a property `rule` is given, where a function has a parameter of that
 * name, in types of either, and as the keyword of an error of Ajv.
 */
export function rulesIn(texts: readonly string[]): ReadonlySet<string> {
  const trees = texts.map((text) => ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true));
  const places = trees.map(placesIn);
  const shared = places.flatMap(({ open }) => open);
  const rules = trees.flatMap((tree, index) => namedIn(tree, [...shared, ...(places[index]?.own ?? [])]));
  return new Set(rules.filter((rule) => WORD.test(rule)));
}

/** Finds the functions of a file that take rules: those for itself, and those that others may call. */
function placesIn(tree: ts.SourceFile): { own: Place[]; open: Place[] } {
  const found: { own: Place[]; open: Place[] } = { own: [], open: [] };
  for (const node of nodesOf(tree)) {
    if (!ts.isFunctionLike(node)) continue;
    const index = node.parameters.findIndex(isRule);
    const declared = ts.isVariableDeclaration(node.parent) ? node.parent : node;
    if (index < 0 || declared.name === undefined) continue;
    const isExported = (ts.getCombinedModifierFlags(declared) & ts.ModifierFlags.Export) > 0;
    const isOpen = ts.isMethodDeclaration(node) || isExported;
    found[isOpen ? "open" : "own"].push({ name: declared.name.getText(), index });
  }
  return found;
}

function isRule({ name, type }: ts.ParameterDeclaration | ts.PropertySignature): boolean {
  return name.getText() === "rule" && TYPE_OF_RULES.test(type?.getText() ?? "");
}

function namedIn(tree: ts.SourceFile, places: readonly Place[]): string[] {
  return nodesOf(tree).flatMap((node) => {
    if (ts.isPropertyAssignment(node) && isNameOfRule(node)) return wordsIn(node.initializer);
    if ((ts.isParameter(node) || ts.isPropertySignature(node)) && isRule(node))
      return node.type === undefined ? [] : nodesOf(node.type).flatMap(wordsIn);
    if (!ts.isCallExpression(node)) return [];
    const { expression, arguments: given } = node;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    return places.flatMap((place) => {
      const rule = place.name === name ? given[place.index] : undefined;
      return rule === undefined ? [] : wordsIn(rule);
    });
  });
}

function isNameOfRule({ name, parent }: ts.PropertyAssignment): boolean {
  const hasMessage = parent.properties.some((other) => other.name?.getText() === "message");
  return name.getText() === "rule" || (name.getText() === "keyword" && hasMessage);
}

function wordsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...wordsIn(node.whenTrue), ...wordsIn(node.whenFalse)];
  return [];
}

function nodesOf(node: ts.Node): ts.Node[] {
  const nodes = [node];
  node.forEachChild((child) => void nodes.push(...nodesOf(child)));
  return nodes;
}
