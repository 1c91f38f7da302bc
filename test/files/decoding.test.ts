import { readFileSync } from "node:fs";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { emptyRuns, jpeg, png } from "./pictures.js";
import { avatarPath, localStore, sendForm, type TestStore } from "./uploads.js";

/** Nearly as many pixels as a picture may have. */
const BOMB = { width: 6_300, height: 6_300 };

describe("decoding pictures", () => {
  let store: TestStore;
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    store = await localStore();
    gateway = await startGateway({
      own: "service",
      environment: { STORAGE_URL: store.url, RATE_LIMIT: "150" },
    });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
  });

  const upload = async (bytes: Buffer, { id, ownerId, owner } = company) => {
    const { status, body, headers } = await sendForm(gateway, owner, avatarPath(id, ownerId), {
      avatar: { bytes },
    });
    return { status, body, left: Number(headers["ratelimit-remaining"]) };
  };

  it("counts pixels, one request for each 400,000 of them", async () => {
    const small = await upload(await png({ width: 100 }));
    const large = await upload(await jpeg({ width: 2000, height: 2000 }));
    const bomb = await upload(emptyRuns(BOMB));

    expect([small.status, large.status, bomb.status]).toEqual([200, 200, 200]);
    expect([small.left, large.left, bomb.left]).toEqual([149, 149 - 11, 149 - 11 - 100]);
  });

  it("refuses before anything is decoded when the pixels are more than is left, and stores nothing", async () => {
    const bytes = emptyRuns(BOMB);

    const statuses = [await upload(bytes), await upload(bytes)].map(({ status }) => status);

    expect(statuses).toEqual([200, 429]);
    expect(await gateway.db.storedFile.count({ where: { companyId: company.id } })).toBe(1);
  });

  it("refuses a BMP whose pixels are missing, and one that a reader cannot follow", async () => {
    const missing = emptyRuns(BOMB);
    missing.writeUInt32LE(0, 30);
    const broken = emptyRuns({ width: 100, height: 100 }).subarray(0, 1_079);

    const answers = [await upload(missing), await upload(broken)];

    for (const { status, body } of answers)
      expect([status, wrongFields(body.errors)]).toEqual([422, ["avatar:image"]]);
    expect(await gateway.db.storedFile.count({ where: { companyId: company.id } })).toBe(0);
  });

  it("has one picture of a company decoded at a time, and those of two companies at once", async () => {
    const other = await createCompany(gateway);
    const bytes = await png({ width: 500 });
    await untilNoneDecodes();

    const own = await Promise.all([1, 2, 3, 4].map(() => upload(bytes)));
    const ofOne = decoders().length;
    // Two that arrive together may still miss one another, never always: the time limit of the test is the bound.
    const both: Awaited<ReturnType<typeof upload>>[] = [];
    while (decoders().length < 2) both.push(...(await Promise.all([upload(bytes), upload(bytes, other)])));

    expect(ofOne).toBe(1);
    expect(new Set([...own, ...both].map(({ status }) => status))).toEqual(new Set([200]));
    expect(decoders()).toHaveLength(2);
  });

  it("does so in processes that know no variable of the service and end when nothing is to do", async () => {
    await upload(await png({ width: 100 }));
    const children = decoders();

    expect(children.length).toBeGreaterThan(0);
    expect(children.flatMap(variables)).toEqual([]);
    await untilNoneDecodes();
  });
});

async function untilNoneDecodes(): Promise<void> {
  while (decoders().length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** The processes that this one has started to decode pictures. */
function decoders(): string[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  return children.split(" ").filter((pid) => pid !== "" && commandOf(pid).includes("picture-process"));
}

/** The command of a process; an empty text once it has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** The variables of a process, but for the one by which node finds the channel to its parent. */
function variables(pid: string): string[] {
  const text = readFileSync(`/proc/${pid}/environ`, "utf8");
  return text.split("\0").filter((one) => one !== "" && !one.startsWith("NODE_CHANNEL"));
}
