import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
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
});
