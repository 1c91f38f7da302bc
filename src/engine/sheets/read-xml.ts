import { SaxesParser } from "saxes";
import { SheetError, type SheetRow } from "../../core/sheets/sheet.js";
import { damaged, MOST_CHARACTERS_BETWEEN_TAGS, tooLarge, type RowCollector } from "./limits.js";

/** Takes the parts of an XML document one after the other; names have no prefix. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): unknown;
  text(text: string): unknown;
  close(name: string): unknown;
}

/** The values of attributes by their names. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** How the names of attributes are given. */
export type AttributeNames =
  /** The names as they are written. */
  | "written"
  /** The names without their prefix. */
  | "local"
  /** With the prefix that stands here for their namespace, whatever it is in the document. */
  | Readonly<Record<string, string>>;

/**
 * Reads an XML document piece by piece. Only the five entities of XML itself are known: no other is expanded, and
 * nothing outside is read.
 *
 * @throws SheetError for a document that is not well-formed, or declares entities.
 */
export class XmlReader {
  private readonly parser: Pick<SaxesParser, "write" | "close">;
  /** Characters that the parser was given since the last tag: it keeps them until the next one. */
  private sinceTag = 0;

  constructor(handler: XmlHandler, names: AttributeNames) {
    const counted: XmlHandler = {
      open: (name, attributes) => {
        this.sinceTag = 0;
        handler.open(name, attributes);
      },
      text: (text) => handler.text(text),
      close: (name) => {
        this.sinceTag = 0;
        handler.close(name);
      },
    };
    this.parser = typeof names === "string" ? plainParser(counted, names) : namespaceParser(counted, names);
  }

  /** @throws SheetError also for a text, a comment or a tag of which no end comes. */
  write(text: string): void {
    this.sinceTag += text.length;
    this.parser.write(text);
    if (this.sinceTag > MOST_CHARACTERS_BETWEEN_TAGS) throw tooLarge();
  }

  end(): void {
    this.parser.close();
  }
}

/** Reads a whole document that has no rows. */
export async function readParts(
  texts: AsyncIterable<string>,
  handler: XmlHandler,
  names: AttributeNames,
): Promise<void> {
  const reader = new XmlReader(handler, names);
  for await (const text of texts) reader.write(text);
  reader.end();
}

/** Reads a document whose handler collects rows, until `isDone` says that the rest does not matter. */
export async function* readRows(
  texts: AsyncIterable<string>,
  handler: XmlHandler & { readonly isDone: boolean },
  names: AttributeNames,
  rows: RowCollector,
): AsyncGenerator<SheetRow[]> {
  // What follows the sheet in the same piece of text is no part of it.
  const guarded: XmlHandler = {
    open: (name, attributes) => handler.isDone || handler.open(name, attributes),
    text: (text) => handler.isDone || handler.text(text),
    close: (name) => handler.isDone || handler.close(name),
  };
  const reader = new XmlReader(guarded, names);
  for await (const text of texts) {
    reader.write(text);
    yield rows.take();
    if (handler.isDone) return;
  }
  reader.end();
  yield rows.take();
}

/** A name without its prefix. */
export function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}

function plainParser(handler: XmlHandler, names: "written" | "local"): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, position: false });
  guard(parser);
  parser.on("opentag", ({ name, attributes }) =>
    handler.open(localName(name), names === "written" ? attributes : localAttributes(attributes)),
  );
  parser.on("text", (text) => handler.text(text));
  parser.on("cdata", (text) => handler.text(text));
  parser.on("closetag", ({ name }) => handler.close(localName(name)));
  return parser;
}

function localAttributes(attributes: Record<string, string>): Attributes {
  const local: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const name of Object.keys(attributes)) local[localName(name)] ??= attributes[name] ?? "";
  return local;
}

function namespaceParser(
  handler: XmlHandler,
  prefixes: Readonly<Record<string, string>>,
): Pick<SaxesParser, "write" | "close"> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  guard(parser);
  parser.on("opentag", ({ local, attributes }) => {
    const named: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const attribute of Object.values(attributes)) {
      const prefix = prefixes[attribute.uri];
      if (prefix !== undefined) named[`${prefix}:${attribute.local}`] = attribute.value;
    }
    handler.open(local, named);
  });
  parser.on("text", (text) => handler.text(text));
  parser.on("cdata", (text) => handler.text(text));
  parser.on("closetag", ({ local }) => handler.close(local));
  return parser;
}

function guard(parser: {
  on(name: "error", handler: (error: Error) => void): void;
  on(name: "doctype", handler: (doctype: string) => void): void;
}): void {
  parser.on("error", () => {
    throw damaged();
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("<!ENTITY")) throw new SheetError("declares entities, which are not read");
  });
}
