import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrations } from "../../src/engine/migrations/migration-files.js";
import {
  brokenSeals,
  makeSeals,
  printSeal,
  readSeals,
  sealMigrations,
} from "../../src/engine/migrations/seals.js";
import { createEmptyDatabase } from "../support/database.js";
import { mergedSeals } from "./seal-history.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe("the migrations of this project", () => {
  it("are as they were when they were merged", async () => {
    const migrations = await readMigrations();

    expect(brokenSeals(migrations, [...(await readSeals()).values()])).toEqual([]);
    expect(brokenSeals(migrations, mergedSeals(ROOT))).toEqual([]);
  });

  it("are all sealed with what they close: if this fails, run npm run db:migration -- --seal", async () => {
    const database = await createEmptyDatabase();
    const sealed = [...(await readSeals()).values()].map(printSeal).sort(byName);

    expect(sealed).toEqual((await makeSeals(database.url, await readMigrations())).map(printSeal));
    await database.drop();
  });
});

describe("a repository whose migrations are sealed", () => {
  let repository: string;
  let folder: string;

  beforeEach(async () => {
    repository = await mkdtemp(join(tmpdir(), "commerce-seals-"));
    folder = join(repository, "prisma/migrations");
    git("init", "--quiet", "--initial-branch=main");
    await write("1_pears", "CREATE TABLE pears (id int)");
    await write("2_weight", "ALTER TABLE pears ADD weight int, ADD CHECK (weight > 0)");
    await seal();
    commit("two migrations");
  });

  afterEach(() => rm(repository, { recursive: true, force: true }));

  it("holds the checksum of each, and what it does to tables that are there", async () => {
    const seals = await readSeals(folder);

    expect([...seals.values()].map(({ name, effects }) => [name, [...effects]])).toEqual([
      ["1_pears", []],
      ["2_weight", [["pears", "closed+read"]]],
    ]);
    expect(brokenSeals(await readMigrations(folder), mergedSeals(repository))).toEqual([]);
  });

  it("names a migration that was changed or is gone, and seals nothing anew", async () => {
    await write("1_pears", "CREATE TABLE pears (id bigint)");
    await rm(join(folder, "2_weight"), { recursive: true });

    await expect(seal()).rejects.toThrow(/1_pears was changed.*\n2_weight is gone/u);
  });

  it("names it also when the seal was edited with it, merged by a branch or committed to main", async () => {
    git("switch", "--quiet", "--create", "work");
    await write("1_pears", "CREATE TABLE pears (id bigint)");
    await rm(join(folder, "seals.txt"));
    await seal();
    commit("a migration and its seal");
    const broken = async () => brokenSeals(await readMigrations(folder), mergedSeals(repository));
    const onBranch = await broken();
    git("switch", "--quiet", "main");
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "merge", "--quiet", "--no-ff", "work");

    const onMain = await broken();

    const line = expect.stringContaining("1_pears was changed") as string;
    expect([onBranch, onMain]).toEqual([[line], [line]]);
  });

  it("lets a branch change a migration and its seal that are not merged yet", async () => {
    git("switch", "--quiet", "--create", "work");
    for (const script of ["CREATE TABLE apples (id int)", "CREATE TABLE apples (id bigint)"]) {
      await write("3_apples", script);
      await rm(join(folder, "seals.txt"));
      await seal();
      commit("apples");
    }

    expect(brokenSeals(await readMigrations(folder), mergedSeals(repository))).toEqual([]);
  });

  async function seal(): Promise<void> {
    const database = await createEmptyDatabase();
    try {
      await sealMigrations(database.url, folder);
    } finally {
      await database.drop();
    }
  }

  async function write(name: string, script: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "migration.sql"), script);
  }

  function commit(message: string): void {
    git("add", "--all");
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", message);
  }

  function git(...args: string[]): void {
    execFileSync("git", args, { cwd: repository, stdio: "ignore" });
  }
});

function byName(a: string, b: string): number {
  const name = (line: string): string => line.split(" ")[1] as string;
  return name(a) < name(b) ? -1 : 1;
}
