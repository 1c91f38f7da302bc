import { readFileSync } from "node:fs";
import { stripIgnoredCharacters } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import { OperatorError } from "../../core/errors/operator-error.js";

/** The file of `SAFELIST` cannot be used. */
export class SafelistError extends OperatorError {
  override readonly name = "SafelistError";
}

/** The text or the hash by which a request names its document. */
export interface RequestedOperation {
  readonly text: string | undefined;
  readonly hash: string | undefined;
}

/** The only documents that may run: those of a file that a client's build made. */
export class Safelist {
  private readonly texts: ReadonlySet<string>;

  private constructor(private readonly documents: ReadonlyMap<string, string>) {
    this.texts = new Set([...documents.values()].map(stripIgnoredCharacters));
  }

  /**
   * Reads a file of the form `{"<hash>": "<document>"}`, as codegen's client preset writes it: newer ones begin the hash with the name
   * of its algorithm, `sha256:`.
   *
   * @throws SafelistError that says what is wrong with the file.
   */
  static fromFile(path: string): Safelist {
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      throw new SafelistError(`SAFELIST ${path} cannot be read: ${(error as Error).message}`, {
        cause: error,
      });
    }
    const entries = isObject(content) ? Object.entries(content) : [];
    const wrong = entries.find(([, document]) => !isGraphql(document));
    if (entries.length === 0 || wrong !== undefined) {
      const at = wrong === undefined ? "" : `; ${JSON.stringify(wrong[0])} is none`;
      throw new SafelistError(`SAFELIST ${path} must be {"hash": "GraphQL document", …}${at}`);
    }
    return new Safelist(new Map((entries as [string, string][]).map(([hash, text]) => [plain(hash), text])));
  }

  get size(): number {
    return this.documents.size;
  }

  /**
   * Returns the listed document that the request names by its hash, or whose text it repeats (blanks and commas
   * aside).
   *
   * @throws DomainError FORBIDDEN when no listed document fits.
   */
  documentFor({ text, hash }: RequestedOperation): string {
    const listed = hash === undefined ? undefined : this.documents.get(plain(hash));
    if (text === undefined && listed !== undefined) return listed;
    if (text !== undefined && isGraphql(text) && this.texts.has(stripIgnoredCharacters(text))) return text;
    throw new DomainError("FORBIDDEN", "Only operations on the service's safelist may run.");
  }
}

/** A hash without the name of its algorithm. */
function plain(hash: string): string {
  return hash.replace(/^sha256:/u, "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isGraphql(value: unknown): value is string {
  if (typeof value !== "string" || value.trim() === "") return false;
  try {
    stripIgnoredCharacters(value);
    return true;
  } catch {
    return false;
  }
}
