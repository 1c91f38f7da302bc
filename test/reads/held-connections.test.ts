import { PreparedRead, ReadStatement } from "../../src/engine/reads/prepared-read.js";
import type { ReadMeter } from "../../src/engine/limits/read-meter.js";

const INT = 23;
/** More than is taken of a result at a time. */
const LONG = 200_000;

const meter: ReadMeter = {
  user: null,
  inTurn: (statement) => statement(),
  readsRow: () => undefined,
  assertWithin: () => undefined,
};

/** A run on a connection that notes when it is read and when not. */
function runOnConnection(): { read: PreparedRead; calls: string[] } {
  const calls: string[] = [];
  const nothing = (): void => undefined;
  const connection = {
    stream: {
      cork: nothing,
      uncork: nothing,
      pause: () => calls.push("pause"),
      resume: () => calls.push("resume"),
    },
    parsedStatements: {},
    parse: nothing,
    bind: nothing,
    describe: nothing,
    execute: nothing,
    sync: nothing,
    sendCopyFail: nothing,
  };
  const read = new PreparedRead(new ReadStatement("SELECT 1 AS n"), { name: "n", ahead: [] }, [], meter);
  read.callback = nothing;
  read.submit(connection);
  read.handleRowDescription({ fields: [{ name: "n", dataTypeID: INT }] });
  return { read, calls };
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a connection of which a long result is read", () => {
  it("is read no further until the next slice", async () => {
    const { read, calls } = runOnConnection();

    read.handleDataRow({ fields: ["1"], length: LONG });
    read.handleDataRow({ fields: ["2"], length: LONG });
    expect(calls).toEqual(["pause"]);

    await nextRound();
    expect(calls).toEqual(["pause", "resume"]);
    expect(read.rows).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it.each([
    ["answered", (read: PreparedRead) => read.handleReadyForQuery()],
    ["refused", (read: PreparedRead) => read.handleError(new Error("canceled"))],
  ])("is read again as soon as the statement is %s: it is for others then", async (_, end) => {
    const { read, calls } = runOnConnection();
    read.handleDataRow({ fields: ["1"], length: LONG });

    end(read);
    expect(calls).toEqual(["pause", "resume"]);

    await nextRound();
    expect(calls).toEqual(["pause", "resume"]);
  });
});
