import { ServerResponse, validateHeaderName, validateHeaderValue, type IncomingMessage } from "node:http";

/** The headers of an answer, as `writeHead` takes them or as `setHeader` has noted them. */
type GivenHeaders = Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;

/**
 * What puts the lines before the body together: `firstLine`, the headers, and those that Node adds, such as `Date`. Node does
 * not document it; it has been there since before its first version, and nothing that is documented takes lines as they are.
 */
interface HeadWriter {
  _storeHeader(firstLine: string, headers: GivenHeaders): void;
}

/**
 * Returns the class of answers that have these headers, unless something else has set one of the same name. Their lines are
 * put together once: Node checks the name and the value of each header at each answer, which takes longer for ten headers than
 * reading a row.
 *
 * @param headers names in small letters.
 * @throws Error when a name or a value may not stand in an answer, or when Node puts heads together in another way by now.
 */
export function answersWith(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as HeadWriter;
  if (typeof storeHeader !== "function")
    throw new Error("Node puts the heads of answers together in another way");
  const lines = Object.entries(headers).map(([name, value]) => ({ name, line: lineOf(name, value) }));
  const all = lines.map(({ line }) => line).join("");
  const besides = (given: GivenHeaders): string => {
    if (!lines.some(({ name }) => isGiven(name, given))) return all;
    return lines.flatMap(({ name, line }) => (isGiven(name, given) ? [] : [line])).join("");
  };
  class Answer<Request extends IncomingMessage> extends ServerResponse<Request> implements HeadWriter {
    _storeHeader(firstLine: string, given: GivenHeaders): void {
      storeHeader.call(this, firstLine + besides(given), given);
    }
  }
  return Answer;
}

/** @param given names and values by turns where it is a list. */
function isGiven(name: string, given: GivenHeaders): boolean {
  if (given === null || given === undefined) return false;
  return Array.isArray(given) ? given.includes(name) : name in given;
}

function lineOf(name: string, value: string): string {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}
