import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createCompany, createGood } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { observedApp } from "./observed-app.js";

const textOf = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../src/process/${name}`, import.meta.url)), "utf8");

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly targets?: { readonly expr: string }[];
}

/** What `/metrics` shows: the names of series, and the labels of those that have any. */
interface Shown {
  readonly names: ReadonlySet<string>;
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

let gateway: Gateway;
let shown: Shown;
let board: { readonly panels: readonly Panel[] };
let rules: string;
beforeAll(async () => {
  gateway = await startGateway();
  const company = await createCompany(gateway);
  const { id } = await createGood(gateway, company.id);
  const { app } = await observedApp(gateway);
  await app.inject({ url: `/api/companies/${company.id}/goods/${id}` });
  shown = shownBy((await app.inject({ url: "/metrics" })).body);
  await app.close();
  board = JSON.parse(await textOf("grafana.json"));
  rules = await textOf("alerts.yaml");
});
afterAll(() => gateway.close());

function shownBy(text: string): Shown {
  const names = new Set<string>();
  const labels = new Map<string, Set<string>>();
  for (const [, name = "", kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gmu))
    for (const end of kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""]) names.add(name + end);
  for (const [, name = "", inside = ""] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gmu)) {
    const known = labels.get(name) ?? new Set();
    for (const [, label = ""] of inside.matchAll(/(\w+)="/gu)) known.add(label);
    labels.set(name, known);
  }
  return { names, labels };
}

const NAME = /\b(?:gateway|process|nodejs)_\w+/gu;
/** What Prometheus adds to each series. */
const ADDED = ["instance", "job"];

/** What an expression asks for that `/metrics` does not show. */
function missingIn(expr: string): string[] {
  const names = expr.match(NAME) ?? [];
  const asked = [...expr.matchAll(/\bby \(([^)]*)\)/gu)].flatMap(([, inside = ""]) => inside.split(", "));
  const matched = [...expr.matchAll(/(\w+)(?:!=|=~|=)"/gu)].map(([, label = ""]) => label);
  const known = names.map((name) => shown.labels.get(name)).filter((labels) => labels !== undefined);
  const isKnown = (label: string) => ADDED.includes(label) || known.some((labels) => labels.has(label));
  return [
    ...names.filter((name) => !shown.names.has(name)),
    ...(known.length < names.length ? [] : [...asked, ...matched].filter((label) => !isKnown(label))),
  ];
}

const isBalanced = (expr: string): boolean =>
  ["()", "{}", "[]"].every(([open = "", close = ""]) => expr.split(open).length === expr.split(close).length);

const exprsOfBoard = (): string[] =>
  board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const exprsOfRules = (): string[] => [...rules.matchAll(/^ +expr: (.+)$/gmu)].map(([, expr = ""]) => expr);

describe("the board and the alert rules", () => {
  it("ask for what /metrics shows", () => {
    const exprs = [...exprsOfBoard(), ...exprsOfRules()];

    expect(exprs.filter((expr) => missingIn(expr).length > 0 || !isBalanced(expr))).toEqual([]);
    expect(missingIn('sum by (nobody) (gateway_requests_total{status="200"})')).toEqual(["nobody"]);
    expect(missingIn("rate(gateway_no_such_total[5m])")).toEqual(["gateway_no_such_total"]);
  });

  it("leave out no number of the service", () => {
    const all = [...exprsOfBoard(), ...exprsOfRules()].join(" ");
    const ofService = [...shown.names].filter((name) => name.startsWith("gateway_"));
    const isAsked = (name: string) => all.includes(name.replace(/_(?:bucket|sum|count)$/u, ""));

    expect(ofService.filter((name) => !isAsked(name))).toEqual([]);
  });

  it("are whole: a board of panels that do not cover each other, rules that say what they mean", () => {
    const ids = board.panels.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(exprsOfBoard().length).toBeGreaterThan(15);
    const alerts = rules.match(/^ +- alert: \w+$/gmu)?.length;
    expect(alerts).toBeGreaterThan(5);
    expect(exprsOfRules()).toHaveLength(alerts as number);
    expect(rules.match(/^ +summary: ".+"$/gmu)).toHaveLength(alerts as number);
  });
});
