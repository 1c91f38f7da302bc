import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startGateway, type Gateway } from "../support/gateway.js";
import { localStore, type TestStore } from "../files/uploads.js";
import { csv, goodsOf, openShop, type Shop } from "./imports.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let folder: string;
let store: TestStore;
let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "commerce-import-test-"));
  store = await localStore();
  gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  shop = await openShop(gateway);
});
afterAll(async () => {
  await gateway.close();
  await store.close();
  await rm(folder, { recursive: true });
});

/** Runs the command, as `npm run import` does after the build. */
function run(...args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: gateway.url,
    STORAGE_URL: store.url,
    DATA_DIR: folder,
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["dist/cli/import.js", ...args],
      { cwd: ROOT, env },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
      },
    );
  });
}

it("imports a file, and prints and keeps what was refused", async () => {
  const file = join(folder, "goods.csv");
  await writeFile(
    file,
    csv(["sku", "name", "price", "Colour"], ["A-1", "Water", 1, ""], ["A-2", "Tea", "x", ""]),
  );
  const target = ["--company", String(shop.company.id), "--branch-group", String(shop.shopId)];

  const tried = await run(file, ...target, "--dry-run");
  const before = await goodsOf(shop);
  const done = await run(file, ...target);

  expect(tried.output).toContain("Would do 2 rows: 1 new goods");
  expect(before).toEqual([]);
  expect(done.code).toBe(1);
  expect(done.output).toContain("Did 2 rows: 1 new goods, 0 changed, 0 the same, 1 refused.");
  expect(done.output).toContain("Ignored columns: Colour");
  expect(done.output).toContain("Row 3, C (price): must be an amount");
  expect(await readFile(join(folder, "goods.errors.csv"), "utf8")).toContain("must be an amount");
  expect(await goodsOf(shop)).toMatchObject([{ sku: "A-1", priceE2: 100n }]);
  const entry = await gateway.db.auditEntry.findFirst({
    where: { companyId: shop.company.id, targetType: "good" },
  });
  expect(entry).toMatchObject({ actorKind: "platform", operation: "importBranchGroupGoods" });
});

it.each([
  ["without a company", ["goods.csv"], "Usage:"],
  ["for a file that is not there", ["no.csv", "--company", "1", "--branch", "1"], "There is no file no.csv."],
  [
    "for a file of another kind",
    ["package.json", "--company", "1", "--branch", "1"],
    "has to end in one of xlsx",
  ],
])(
  "says what is wrong %s",
  async (_, args, message) => {
    const { code, output } = await run(...args);

    expect(code).toBe(1);
    expect(output).toContain(message);
  },
  30_000,
);
