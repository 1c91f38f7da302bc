/** A piece of a statement. A parenthesis knows the place of its other half. */
export interface Token {
  readonly kind: "word" | "quoted" | "value" | "symbol";
  readonly text: string;
  /** The place of the other parenthesis. */
  partner: number;
  /** The place of the innermost parenthesis around this piece, `-1` for none. */
  readonly within: number;
  /** Where it begins in the statement, and where what follows it does. */
  readonly start: number;
  readonly end: number;
}

/**
 * Matches, in this order: comments, texts with escapes and in dollar quotes, names, parameters and numbers,
 * operators.
 */
const PIECES =
  /--[^\n]*|\/\*[\s\S]*?\*\/|(?<text>\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|(?<tag>\$(?:[a-z_]\w*)?\$)[\s\S]*?\k<tag>)|"(?<quoted>(?:[^"]|"")*)"|(?<word>[a-z_][\w$]*)|(?<number>\$\d+|\d[\w.]*)|(?<symbol>::|[=<>!~@#%^&|*+\-/?]+|\S)/giu;

/**
 * Returns the pieces of a statement without its comments. Words that are not quoted come in small letters, as
 * PostgreSQL reads them.
 */
export function sqlTokens(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  const open: number[] = [];
  for (const { groups = {}, index: start, 0: whole } of sql.matchAll(PIECES)) {
    const { text, quoted, word, number, symbol } = groups;
    const within = (symbol === ")" ? open.pop() : open.at(-1)) ?? -1;
    const token = (kind: Token["kind"], piece: string): void =>
      void tokens.push({ kind, text: piece, partner: -1, within, start, end: start + whole.length });
    if (quoted !== undefined) token("quoted", quoted);
    else if (word !== undefined) token("word", word.toLowerCase());
    else if (symbol !== undefined) token("symbol", symbol);
    else if (text !== undefined || number !== undefined) token("value", text ?? number ?? "");
    if (symbol === "(") open.push(tokens.length - 1);
    if (symbol !== ")" || within === -1) continue;
    (tokens.at(-1) as Token).partner = within;
    (tokens[within] as Token).partner = tokens.length - 1;
  }
  return tokens;
}
