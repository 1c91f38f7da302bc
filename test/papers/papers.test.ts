import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FILE_WORK_DAYS } from "../../src/core/jobs/followed-job.js";
import { DOCUMENT_LIMITS } from "../../src/engine/limits/document-bounds.js";
import { FORMAT_RULES, KEYWORD_RULES } from "../../src/engine/validation/field-errors.js";
import { FORMATS } from "../../src/engine/validation/formats.js";
import { recurringJobs, tasks } from "../../src/jobs.js";
import { loadConfig } from "../../src/process/config/config.js";
import { ATTEMPT_DAYS } from "../../src/slices/coupons/attempts/coupon-attempt.model.js";
import { FOUND, RULES } from "../../src/slices/coupons/conditions/conditions.js";
import { DELIVERY_DAYS } from "../../src/slices/webhooks/webhook-delivery.model.js";
import {
  anchorsOf,
  brokenLinks,
  citationsIn,
  filesNamedIn,
  otherCitationsIn,
  sectionsOf,
  type Paper,
} from "./papers.js";
import { rulesIn } from "./rules.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Pages that are made from others are left out, what a release promised, and this folder, which has wrong citations on purpose. */
const LEFT_OUT = ["src/generated/", "schema/released/", "test/papers/"];

/** Keywords and formats of JSON Schema that are rules by their own names. */
const STANDARD_KEYWORDS = ["enum", "pattern", "required", "type"];
const STANDARD_FORMATS = ["email"];

const read = (path: string): Paper => ({ path, text: readFileSync(join(ROOT, path), "utf8") });
const filesIn = (folder: string): Paper[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !LEFT_OUT.some((start) => path.startsWith(start)))
    .map(read);

const contract = read("schema/README.md").text;

describe("the papers of this repository", () => {
  const files = ["src", "test", "prisma", "schema"].flatMap(filesIn).concat(read("README.md"));
  const pages = files.filter(({ path }) => path.endsWith(".md"));

  it("cite sections that the contract has", () => {
    const sections = sectionsOf(contract);
    const wrong = files.flatMap(({ path, text }) =>
      citationsIn(text)
        .filter(({ section }) => !sections.has(section))
        .map(({ section, line }) => `${path}:${line} §${section}`),
    );
    expect(files.length).toBeGreaterThan(400);
    expect(sections.size).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  it("cite sections of nothing else but standards", () => {
    const others = files
      .filter(({ path }) => !path.endsWith(".md") && !path.endsWith(".json"))
      .flatMap(({ path, text }) => otherCitationsIn(text).map((line) => `${path}:${line}`));
    expect(others).toEqual([]);
  });

  it("number each section once", () => {
    const numbers = [...contract.matchAll(/^#{2,3} (\d+(?:\.\d+)?)/gmu)].map(([, number]) => number);
    expect(numbers.length).toBe(new Set(numbers).size);
  });

  it("link to files and headings that are there", () => {
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(["README.md", "schema/README.md"]));
    expect(pages.flatMap((page) => brokenLinks(page, ROOT).map((link) => `${page.path} ${link}`))).toEqual(
      [],
    );
  });
});

describe("the contract", () => {
  it("lists all rules that errors name, and no other", () => {
    const [, section = ""] = /^### 6\.4 Rules\n(?<list>[^]*?)At most 50 entries/mu.exec(contract) ?? [];
    const listed = new Set([...section.matchAll(/`(?<rule>[a-z_]+)`/gu)].map(([, rule]) => rule));
    const sources = filesIn("src").filter(({ path }) => path.endsWith(".ts"));
    const named = rulesIn(sources.map(({ text }) => text));
    const rules = new Set([
      ...[...named, ...STANDARD_KEYWORDS].map((rule) => KEYWORD_RULES[rule] ?? rule),
      ...Object.values(KEYWORD_RULES),
      ...[...STANDARD_FORMATS, ...Object.keys(FORMATS)].map((format) => FORMAT_RULES[format] ?? format),
      ...Object.keys(DOCUMENT_LIMITS),
      ...[FOUND, ...RULES].map(({ name }) => name),
    ]);

    expect([...rules].filter((rule) => !listed.has(rule)).sort()).toEqual([]);
    expect([...listed].filter((rule) => !rules.has(rule as string))).toEqual([]);
  });
});

describe("the page on security", () => {
  it("names tests that are there", () => {
    const { text } = read("src/process/SECURITY.md");
    const named = [...text.matchAll(/`(test\/[^`]+)`/gu)].map(([, path]) => path as string);

    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe("the pages of the source", () => {
  it("name each file of the kit, and no other", () => {
    const kit = filesIn("src/core").map(({ path }) => path.replace("src/core/", ""));

    expect([...filesNamedIn(read("src/core/README.md").text)].sort()).toEqual(
      kit.filter((path) => path.endsWith(".ts")).sort(),
    );
  });

  it("list the rooms of the engine as they stand on one another", async () => {
    const tables = (await import(join(ROOT, ".dependency-cruiser.js"))) as Record<string, object>;
    const rooms = [...read("src/README.md").text.matchAll(/^\| `(?<room>[a-z-]+)\/` +\| /gmu)]
      .map(({ groups }) => groups?.["room"] as string)
      .filter((room) => !existsSync(join(ROOT, "src", room)));

    expect(rooms).toEqual(tables["ENGINE"]);
    const folders = new Set(filesIn("src/engine").map(({ path }) => path.split("/")[2]));
    expect(new Set(rooms)).toEqual(folders);
    const slices = readdirSync(join(ROOT, "src/slices"));
    expect(slices).toEqual(expect.arrayContaining(Object.keys(tables["SLICES"] as object)));
  });

  it("let slices use one another in no circle but that of carts, coupons and orders", async () => {
    const { SLICES } = (await import(join(ROOT, ".dependency-cruiser.js"))) as {
      SLICES: Readonly<Record<string, readonly string[]>>;
    };
    const left = new Map(Object.entries(SLICES));
    const isUsed = (slice: string) => [...left.values()].some((used) => used.includes(slice));
    const ends = () =>
      [...left].filter(([slice, used]) => !isUsed(slice) || !used.some((other) => left.has(other)));
    for (let found = ends(); found.length > 0; found = ends())
      for (const [slice] of found) left.delete(slice);

    expect([...left.keys()].sort()).toEqual(["carts", "coupons", "orders"]);
  });

  it("say how long things are kept as it is set", () => {
    const { auditDays, journalDays } = loadConfig({});
    const page = read("src/process/README.md").text;
    const daysOf = (what: string) => Number(new RegExp(`^\\| ${what}[^|]*\\| (\\d+)`, "mu").exec(page)?.[1]);

    expect(daysOf("entries of the audit trail")).toBe(auditDays);
    expect(daysOf("changes in the journal")).toBe(journalDays);
    expect(daysOf("refused attempts")).toBe(ATTEMPT_DAYS);
    expect(daysOf("messages of webhooks")).toBe(DELIVERY_DAYS);
    expect(daysOf("imports, lists")).toBe(FILE_WORK_DAYS);
  });

  it("say of every job what it does, and what is missing when it is given up", () => {
    const table = /^\| task .*\n(?:\|.*\n)+/mu.exec(read("src/process/README.md").text)?.[0] ?? "";
    const named = [...table.matchAll(/^\| ([^|]+)\|/gmu)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)`/gu)].map(([, task]) => task),
    );

    expect(named.sort()).toEqual(Object.keys(tasks).sort());
  });

  it("say how long a picture can be read after it was removed, by the job that removes files", () => {
    const times = recurringJobs.find(({ task }) => task === "removeFiles")?.at ?? "";
    const minutes = (times.split(" ", 1)[0] as string).split(",").map(Number);
    const waits = minutes.map((minute, n) => (minutes[n + 1] ?? 60 + (minutes[0] as number)) - minute);

    expect(Math.max(...waits)).toBe(2);
    expect(contract).toContain("read for ten more minutes, at most twelve,");
    expect(read("src/process/README.md").text).toContain("A job looks every two minutes for files");
  });

  it("name all quotas with their usual limits", () => {
    const { quotas } = loadConfig({});
    const [, noted = ""] = /^\| `QUOTAS` +\| `([^`]+)`/mu.exec(read("src/process/README.md").text) ?? [];
    const asNoted = loadConfig({ QUOTAS: noted }).quotas;

    expect(noted.split(",").map((limit) => limit.split("=", 1)[0])).toEqual(
      expect.arrayContaining(quotas.all.map(({ name }) => name)),
    );
    expect(quotas.all.map((quota) => asNoted.limitOf(quota))).toEqual(
      quotas.all.map((quota) => quotas.limitOf(quota)),
    );
  });

  it("lead through files that are there", () => {
    // The slice `suppliers` is the page's example and does not exist.
    const named = [...filesNamedIn(read("src/README.md").text)].filter((path) => !path.includes("supplier"));

    expect(named.length).toBeGreaterThan(80);
    expect(
      named.filter((path) => !existsSync(join(ROOT, "src", path)) && !existsSync(join(ROOT, path))),
    ).toEqual([]);
  });
});

describe("the check of papers", () => {
  const PAGE = [
    "# Page",
    "## 1. One thing",
    "### 1.1 `Names` and values",
    "```sh",
    "# 9. no heading",
    "[no link](nowhere)",
    "```",
    "## Same",
    "## Same",
  ].join("\n");

  it("finds citations with their lines", () => {
    const text = "/** A mask (contract §2.4). */\n// Contract §7 and contract §99.1\n// contract §x";
    expect(citationsIn(text)).toEqual([
      { section: "2.4", line: 1 },
      { section: "7", line: 2 },
      { section: "99.1", line: 2 },
      { section: "?", line: 3 },
    ]);
  });

  it("knows the numbers of sections", () => {
    expect([...sectionsOf(PAGE)]).toEqual(["1", "1.1"]);
    expect(sectionsOf(contract).has("99.1")).toBe(false);
  });

  it("finds citations of anything else, standards apart", () => {
    const lines = [
      "contract §2.4, RFC 9110 §13.1.2 and NIST SP 800-63B §3.1.1.2",
      "(conventions §5)",
      "(spec, Property)",
      "§4.2",
      "a spec of its own",
    ];
    expect(otherCitationsIn(lines.join("\n"))).toEqual([2, 3, 4]);
  });

  it("finds the rules that sources name", () => {
    const one = [
      `export const invalid = (field: string, rule: string) => ({ field, rule });`,
      `const error = { field: "a", rule: isLong ? "max_length" : "min_length", message: "must be short" };`,
      `const wrong = { keyword: "after", message: "must be later" }; const other = { keyword: "notNull" };`,
      `function refuse(rule: string): void {} refuse("own");`,
      `interface Kept { readonly rule: "used" | "held" }`,
      `function fits(field: string, rule: PictureRule): void {} fits("a", "no_rule");`,
    ];
    const two = [`invalid("field", "of_others"); refuse("no_rule"); invalid("field", "No word");`];
    const rules = rulesIn([one.join("\n"), two.join("\n")]);

    expect([...rules].sort()).toEqual(
      ["after", "held", "max_length", "min_length", "of_others", "own", "used"].sort(),
    );
  });

  it("knows the anchors of headings", () => {
    expect([...anchorsOf(PAGE)]).toEqual(["page", "1-one-thing", "11-names-and-values", "same", "same-1"]);
  });

  it("finds the files that a page names", () => {
    const text =
      "`jobs.ts`, `a/b-c.sql.ts` and `a/x.json`, not `<slice>.sql.ts`, `a/*.ts`, `x.json`, `gone`\n`jobs.ts`";
    expect([...filesNamedIn(text)]).toEqual(["jobs.ts", "a/b-c.sql.ts", "a/x.json"]);
  });

  it("finds links that lead nowhere", () => {
    const text = [
      "[page](README.md) [heading](README.md#start) [own](#own) [web](https://example.com/x)",
      "[gone](gone.md) [no heading](../README.md#none) [not own](#other) [outside](../../x.md)",
      "# Own",
    ].join("\n");
    expect(brokenLinks({ path: "schema/README.md", text }, ROOT)).toEqual([
      "README.md#start",
      "gone.md",
      "../README.md#none",
      "#other",
      "../../x.md",
    ]);
  });
});
