import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { withFolder } from "../../src/core/files/temporary-files.js";
import { Spool } from "../../src/engine/storage/spool.js";

const BOUNDS = { maxBytes: 10, tooLarge: () => new Error("too large") };
const MANY = 200;

let folder: string;
let spool: Spool;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "commerce-spool-"));
  spool = new Spool(60_000, folder);
});
afterEach(() => rm(folder, { recursive: true }));

const filesLeft = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes("/"));

describe("temporary files", () => {
  it("have what was sent, until they are removed", async () => {
    const file = await spool.write(Readable.from([Buffer.from("kept")]), BOUNDS, "a.txt");

    expect([await readFile(file.path, "utf8"), file.bytes]).toEqual(["kept", 4]);
    await spool.remove([file]);
    expect(await filesLeft()).toEqual([]);
  });

  it("are not left of what is refused, however early that is", async () => {
    const tooLarge = (): Readable => Readable.from([Buffer.alloc(11)]);
    // The form was refused while the folder was looked for.
    const gone = (): Readable => new PassThrough().destroy();

    const refusals = await Promise.allSettled(
      Array.from({ length: MANY }, (_, n) => spool.write(n % 2 === 0 ? tooLarge() : gone(), BOUNDS, "large")),
    );

    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(await filesLeft()).toEqual([]);
  });

  it("are swept away once nobody can use them any more, folders of jobs later than uploads", async () => {
    const age = async (path: string, minutes: number): Promise<void> => {
      const then = new Date(Date.now() - minutes * 60_000);
      await utimes(path, then, then);
    };
    const [old, young] = [
      await spool.write(Readable.from(["old"]), BOUNDS, "a.txt"),
      await spool.write(Readable.from(["young"]), BOUNDS, "b.txt"),
    ];
    await age(old.path, 2);

    await withFolder(async (left) => {
      await withFolder(async (used) => {
        for (const path of [left, used]) await writeFile(join(path, "sheet.csv"), "sku");
        await age(left, 16);
        await age(used, 14);

        await spool.sweep();

        expect((await filesLeft()).sort()).toEqual(
          [young.path, used, join(used, "sheet.csv")].map((path) => relative(folder, path)).sort(),
        );
      }, folder);
    }, folder);

    expect(await filesLeft()).toEqual([relative(folder, young.path)]);
  });
});
