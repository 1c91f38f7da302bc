import { knownTexts } from "../../engine/reads/known-texts.js";
import { words, type Query } from "./bind-query.js";
import type { Wanted } from "./dynamic-loading.js";
import type { WrongParameters } from "./wrong-parameters.js";

/** Requests ask for the same few views again and again. */
const MOST_VIEWS = { texts: 2_000, characters: 500_000 };
const known = knownTexts<View>(MOST_VIEWS);

/** What a request wants of a resource: the relations and keys that `load` and `fields` name (contract §4.4). */
export class View {
  /** The view of a request that names neither. */
  static readonly whole = new View("", { load: [], fields: null });
  /** Names what is wanted, in whatever order the request has it. */
  readonly name: string;
  /** What an ETag holds besides the hash of the answer, so that the same answer can be made again. */
  readonly mark: string;

  private constructor(
    text: string,
    readonly wanted: Wanted,
  ) {
    this.name = text === "" ? "" : JSON.stringify([wanted.load, wanted.fields]);
    this.mark = markOf(text);
  }

  static of({ load, fields }: Query, wrong: WrongParameters): View {
    if (load === undefined && fields === undefined) return View.whole;
    const text = JSON.stringify([load ?? null, fields ?? null]);
    const before = known.get(text);
    if (before !== undefined) return before;
    const keys = unique(fields, "fields", wrong);
    const view = new View(text, {
      load: unique(load, "load", wrong),
      fields: keys.length === 0 ? null : keys,
    });
    if (wrong.isNone) known.set(text, view);
    return view;
  }
}

function unique(value: unknown, parameter: string, wrong: WrongParameters): string[] {
  return value === undefined ? [] : [...new Set(words(value, parameter, wrong))].sort();
}

/** Returns the mark of a view that is written as text: `load` and `fields` as JSON, nothing for the whole resource. */
export function markOf(text: string): string {
  return text === "" ? "" : `.${Buffer.from(text).toString("base64url")}`;
}

/** Returns the text of the view that an ETag of this service names; `null` for any other ETag. */
export function textOf(etag: string): string | null {
  const mark = /^"[\w-]{27}(?:\.(?<mark>[\w-]+))?"$/u.exec(etag);
  if (mark === null) return null;
  return Buffer.from(mark.groups?.["mark"] ?? "", "base64url").toString();
}

/** Reads the text of a view; `null` for one that this service has not written. */
export function queryOf(text: string): Query | null {
  if (text === "") return {};
  try {
    const [load, fields] = JSON.parse(text) as unknown[];
    return { ...(load != null && { load }), ...(fields != null && { fields }) };
  } catch {
    return null;
  }
}
