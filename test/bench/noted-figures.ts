import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import type { Figures } from "./figures.js";

const FILE = new URL("figures.json", import.meta.url);
const PAGE = new URL("../../README.md", import.meta.url);
const BLOCK = /(?<begin><!-- figures: .*? -->\n).*(?<end>\n<!-- end of the figures -->)/su;

/** A measured workload, of which the pages show its ratio, and its rate where it says anything by itself. */
export type Measured = Pick<Figures, "name" | "ratio"> & Partial<Pick<Figures, "rps">>;

/** What is kept of each workload that the pages show, by its name. */
export type NotedFigures = Readonly<Record<string, NotedFigure>>;

interface NotedFigure {
  /** The day of the run: figures of two days are of two states of the machine. */
  readonly day: string;
  readonly rps?: number;
  readonly ratio: number;
}

/** A row of the table, with the workloads of both faces. */
interface Row {
  readonly text: string;
  readonly graphql?: string;
  readonly rest?: string;
  /** True where a rate means nothing: the other side is no bare server. */
  readonly isRatioAlone?: true;
}

export const ROWS: readonly Row[] = [
  {
    text: "nested: 20 goods → 60 properties of goods → 60 properties → 240 options",
    graphql: "nested",
    rest: "rest-nested",
  },
  { text: "one good", graphql: "one", rest: "rest-one" },
  { text: "flat: 100 goods", graphql: "flat", rest: "rest-flat" },
  { text: "deep: 25 goods from 150,000 on, by cursor", graphql: "deep", rest: "rest-deep" },
  { text: "nested, each request at another place of the list", graphql: "apart-nested" },
  { text: "one good, each request another one", graphql: "apart-one" },
  { text: "deep, each request from another place on", graphql: "apart-deep" },
  { text: "`consumeCoupon`, all of one coupon", graphql: "consume-hot" },
  { text: "`consumeCoupon`, over 1,000 coupons", graphql: "consume-spread" },
  { text: "`consumeCoupons` of three codes, to one transaction of all", graphql: "consume-three" },
  { text: "import of a csv, in rows a second, to parsing it and `COPY`", rest: "import-csv" },
  {
    text: "p95 of a bystander's request while that import runs, to before",
    rest: "import-csv-bystander",
    isRatioAlone: true,
  },
  {
    text: "`shake`, all win at one place, to `consumeCoupon` of one coupon",
    graphql: "shake-hot",
    isRatioAlone: true,
  },
  {
    text: "`shake`, one in 20 wins, to `consumeCoupon` over 1,000 coupons",
    graphql: "shake-spread",
    isRatioAlone: true,
  },
  {
    text: "`updateGood`, to the same without the triggers of the audit trail",
    graphql: "update-audited",
    isRatioAlone: true,
  },
  {
    text: "1,000,000 coupon codes, to an `INSERT … SELECT` of as many",
    graphql: "codes",
    isRatioAlone: true,
  },
  { text: "`adjustBalance`, all of one holder", graphql: "post-hot" },
  { text: "`adjustBalance`, over 1,000 holders", graphql: "post-spread" },
  {
    text: "`adjustBalance` of a holder with 1,000,000 movements, to one with ten",
    graphql: "post-long",
    isRatioAlone: true,
  },
  {
    text: "movements of a holder with 1,000,000, to those of one with ten",
    graphql: "list-long",
    isRatioAlone: true,
  },
  { text: "search: 200 texts among 200,000 goods, to the same SQL alone", rest: "search" },
  {
    text: "the slowest page of all lists with 1,000,000 rows, to the same with 1,000",
    graphql: "growth",
    isRatioAlone: true,
  },
  {
    text: "a page with its exact total, to the same by cursor",
    rest: "page-with-total",
    isRatioAlone: true,
  },
];

const SHOWN: ReadonlySet<string> = new Set(
  ROWS.flatMap(({ graphql, rest }) => [graphql, rest]).filter((name) => name !== undefined),
);

/** Returns the figures that the pages show. */
export function notedFigures(): NotedFigures {
  return JSON.parse(readFileSync(FILE, "utf8")) as NotedFigures;
}

/** Puts measured figures in the place of those of their workloads, in the file and on the page. Others stay. */
export async function noteFigures(measured: readonly Measured[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const fresh = measured.flatMap(({ name, rps, ratio }) =>
    ratio === null || !SHOWN.has(name)
      ? []
      : [
          [
            name,
            { day, ...(rps !== undefined && { rps: Math.round(rps) }), ratio: Number(ratio.toFixed(2)) },
          ] as const,
        ],
  );
  const noted = { ...notedFigures(), ...Object.fromEntries(fresh) };
  writeFileSync(FILE, `${JSON.stringify(noted, null, 2)}\n`);
  writeFileSync(PAGE, await pageWith(readFileSync(PAGE, "utf8"), noted));
}

/** Returns the page with the table of the figures. @throws Error when the page has no place for it. */
export async function pageWith(page: string, figures: NotedFigures): Promise<string> {
  if (!BLOCK.test(page)) throw new Error("README.md has no place for figures");
  const text = page.replace(BLOCK, (_, begin: string, end: string) => `${begin}\n${tableOf(figures)}${end}`);
  return format(text, { ...(await resolveConfig(PAGE)), filepath: PAGE.pathname });
}

function tableOf(figures: NotedFigures): string {
  const lines = ROWS.map(({ text, graphql, rest, isRatioAlone }) => {
    const [ours, theirs] = [graphql, rest].map((name) => (name === undefined ? undefined : figures[name]));
    const cells = [ours, theirs].flatMap((figure) => [
      isRatioAlone === true ? "" : (figure?.rps?.toLocaleString("en") ?? ""),
      figure?.ratio.toFixed(2) ?? "",
    ]);
    return [text, ...cells, (ours ?? theirs)?.day ?? ""];
  });
  const head = ["workload", "GraphQL/s", "ratio", "REST/s", "ratio", "day"];
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
