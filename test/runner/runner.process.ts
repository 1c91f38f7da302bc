import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const RUNTIME = new URL("../../node_modules/@prisma/client/runtime/client.js", import.meta.url);
const RUNNER = fileURLToPath(new URL(".", import.meta.url));
const JEST = fileURLToPath(new URL("../../node_modules/jest/bin/jest.js", import.meta.url));

interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
  }[];
}

/** Runs files with these names and texts in one worker, in alphabetical order, as `npm test` runs test files. */
async function run(files: Record<string, string>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "commerce-runner-"));
  const config = {
    rootDir: folder,
    testEnvironment: join(RUNNER, "environment.mjs"),
    testRunner: join(RUNNER, "run-file.mjs"),
    transform: {},
    testMatch: ["**/*.test.ts"],
  };
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.test.ts`), text);
  const result = join(folder, "result.json");
  const options = ["--config", JSON.stringify(config), "--runInBand", "--testTimeout=500"];
  const child = spawn(process.execPath, [JEST, ...options, "--json", `--outputFile=${result}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const outcome = JSON.parse(await readFile(result, "utf8")) as Outcome;
  await rm(folder, { recursive: true });
  return { ...outcome, exitCode, output };
}

/** Files that must fail, by the reason why they fail. */
const FAILING = {
  "a wrong value": `interface Lost {}\n\nit("is wrong", () => expect(1).toBe(2));`,
  "an error in beforeAll": `beforeAll(() => { throw new Error("no") }); it("is never reached", () => {});`,
  "a rejection in afterAll": `afterAll(() => Promise.reject(new Error("no"))); it("passes", () => {});`,
  "a rejection that nobody handles": `it("hides it", async () => {
    void Promise.reject(new Error("no"));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`,
  "an error that is thrown later": `it("waits", async () => {
    setTimeout(() => { throw new Error("no") }, 10);
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`,
  "a test that never ends": `it("waits", () => new Promise(() => {}));`,
  "a syntax error": `it("is no TypeScript", () => {`,
  "an error at the top": `it("is never reached", () => {}); throw new Error("no");`,
  "no test": `export {};`,
  "a module that is not there": `import "./missing.js"; it("is never reached", () => {});`,
};

describe("files that fail", () => {
  let outcome: Outcome;

  beforeAll(async () => {
    outcome = await run({ ...FAILING, good: `it("passes", () => expect(1 as number).toBe(1));` });
  });

  it.each(Object.keys(FAILING))("are reported: %s", (name) => {
    const file = outcome.testResults.find((result) => result.name.includes(`/${name}.test.ts`));

    expect(file).toMatchObject({ status: "failed", message: expect.stringContaining("●") as string });
  });

  it("fail the run, and no file beside them", () => {
    const passed = outcome.testResults.filter(({ status }) => status === "passed");

    expect(outcome.exitCode).toBe(1);
    expect(passed.map(({ name }) => basename(name))).toEqual(["good.test.ts"]);
  });

  it("are shown with their own lines", () => {
    expect(outcome.output).toMatch(
      /● is wrong[\s\S]*Expected: 2\s+Received: 1[\s\S]*a wrong value\.test\.ts:3:\d+/u,
    );
  });
});

it("takes back what a file did to the realm, before the next", async () => {
  const outcome = await run({
    a: `it("changes the realm", () => {
      jest.useFakeTimers({ now: 0 });
      jest.spyOn(Math, "random").mockReturnValue(2);
      process.env["LEFT_BEHIND"] = "x";
      delete process.env["PATH"];
      console.log = () => {};
    });`,
    b: `it("finds it as it was", () => {
      expect(Date.now()).toBeGreaterThan(0);
      expect(Math.random()).toBeLessThan(1);
      expect(process.env["LEFT_BEHIND"]).toBeUndefined();
      expect(process.env["PATH"]).toBeDefined();
      expect(String(console.log)).not.toBe("() => {}");
      expect(expect.getState().currentTestName).toBe("finds it as it was");
    });`,
  });

  expect(outcome).toMatchObject({ exitCode: 0, numPassedTests: 2, numFailedTests: 0 });
});

it("finds where Prisma's runtime reads its graph and keeps its plans, so that clients share them", async () => {
  const text = await readFile(RUNTIME, "utf8");
  const { keepingGraph, sharingPlans } = (await import(
    new URL("./prisma-clients.mjs", import.meta.url).href
  )) as Record<"keepingGraph" | "sharingPlans", (content: string) => string>;

  expect(keepingGraph(text)).not.toBe(text);
  expect(sharingPlans(text)).not.toBe(text);
});
