import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** A Markdown page, with its path from the root. */
export interface Paper {
  readonly path: string;
  readonly text: string;
}

/** A citation of the public contract, such as `contract §4.2`. */
export interface Citation {
  readonly section: string;
  readonly line: number;
}

const CITATION = /\b[Cc]ontract §(?<section>\d+(?:\.\d+)?)?/gu;
/** Standards have sections of their own. */
const STANDARD = /\b(?:RFC \d+|NIST SP [\w-]+|OWASP \w+) §[\d.]+/gu;
/** A file as pages name it: in code, with a folder unless it is TypeScript; no pattern such as `<slice>.sql.ts`. */
const FILE = /`(?<path>(?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|sql|prisma|graphql|json)|[\w.-]+\.ts)`/gu;
const HEADING = /^(?<marks>#{1,6}) +(?<title>.+?) *$/u;
const LINK = /\[[^\]]*\]\((?<target>[^)\s]+)\)/gu;

/** Returns every citation of the contract in a text; a section without a number is returned as `?`. */
export function citationsIn(text: string): Citation[] {
  return text.split("\n").flatMap((content, index) =>
    [...content.matchAll(CITATION)].map(({ groups }) => ({
      section: groups?.["section"] ?? "?",
      line: index + 1,
    })),
  );
}

/** Returns the lines that cite a section of anything but the contract or a standard. */
export function otherCitationsIn(text: string): number[] {
  return text.split("\n").flatMap((content, index) => {
    const rest = content.replace(CITATION, "").replace(STANDARD, "");
    return /§|\b(?:spec|conventions),? +(?:§|[A-Z"])/u.test(rest) ? [index + 1] : [];
  });
}

/** Returns the numbers of a page's sections, from headings such as `### 4.2 Pages`. */
export function sectionsOf(page: string): ReadonlySet<string> {
  const numbers = headingsOf(page).flatMap((title) => /^(\d+(?:\.\d+)?)\.? /u.exec(title)?.[1] ?? []);
  return new Set(numbers);
}

/** Returns the relative links of a page that lead nowhere: the file does not exist, or it has no such heading. */
export function brokenLinks({ path, text }: Paper, root: string): string[] {
  const links = [...withoutCode(text).matchAll(LINK)].map(({ groups }) => groups?.["target"] ?? "");
  return links.filter((target) => {
    if (/^[a-z]+:/iu.test(target)) return false;
    const [file = "", anchor] = target.split("#", 2);
    const aim = file === "" ? join(root, path) : resolve(root, dirname(path), file);
    if (relative(root, aim).startsWith("..") || !existsSync(aim)) return true;
    return anchor !== undefined && !anchorsOf(file === "" ? text : readFileSync(aim, "utf8")).has(anchor);
  });
}

/** Returns the files that a page names, each once. */
export function filesNamedIn(page: string): ReadonlySet<string> {
  return new Set([...withoutCode(page).matchAll(FILE)].map(({ groups }) => groups?.["path"] ?? ""));
}

/** Returns the anchors that GitHub makes of a page's headings; equal ones are numbered. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = headingsOf(page).map((title) => {
    const anchor = title
      .replace(/[`*]/gu, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/gu, "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

function headingsOf(page: string): string[] {
  return withoutCode(page)
    .split("\n")
    .flatMap((line) => HEADING.exec(line)?.groups?.["title"] ?? []);
}

/** Removes blocks of code, in which `#` and brackets mean something else. */
function withoutCode(page: string): string {
  return page.replace(/^```.*?^```$/gmsu, "");
}
