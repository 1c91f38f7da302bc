import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Gateway,
  type GraphqlResult,
} from "../support/gateway.js";
import { sendGraphqlForm } from "../files/uploads.js";
import { createOrder, runningCoupon, tally } from "./running-coupon.js";

describe("segments of clients", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const run = (document: string, variables: object = {}, by = company.owner) =>
    by.run(document, { companyId: company.id, ...variables });
  const mutation =
    (name: string, fields: string, type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`) =>
    (input: object) =>
      run(
        `mutation ($companyId: Int!, $input: ${type}!) { answer: ${name}(companyId: $companyId, input: $input) { ${fields} } }`,
        { input },
      );
  const create = mutation("createClientSegment", "id name filter listedCount");
  const created = async (input: object): Promise<{ id: number; listedCount: number }> =>
    dataOf(await create({ name: "Segment", ...input })).answer;
  const change = (id: number, input: object) =>
    run(
      `mutation ($companyId: Int!, $id: Int!, $input: UpdateClientSegmentInput!) {
        answer: updateClientSegment(companyId: $companyId, id: $id, input: $input) { name listedCount filter } }`,
      { id, input },
    );
  const list = (name: "addSegmentClients" | "removeSegmentClients", segmentId: number, input: object) =>
    run(
      `mutation ($companyId: Int!, $segmentId: Int!, $input: SegmentClientsInput!) {
        answer: ${name}(companyId: $companyId, segmentId: $segmentId, input: $input) { listedCount } }`,
      { segmentId, input },
    );
  const client = async (name: string, externalId?: string): Promise<number> =>
    dataOf(await mutation("createClient", "id")({ name, externalId })).answer.id;
  const check = mutation("checkCoupon", "discountE2");
  const outcome = async (code: string | undefined, clientId: number | null) => {
    const answer = await check({ couponCode: code, subtotalE2: 5_000, clientId });
    return answer.errors === undefined ? (dataOf(answer).answer.discountE2 as number) : errorCodes(answer)[0];
  };
  const uploaded = async (segmentId: number, text: string) => {
    const { body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({
        query: `mutation ($companyId: Int!, $id: Int!, $input: UploadClientSegmentInput!) {
          answer: uploadClientSegment(companyId: $companyId, segmentId: $id, input: $input) { id status } }`,
        variables: { companyId: company.id, id: segmentId, input: { file: null } },
      }),
      map: JSON.stringify({ file: ["variables.input.file"] }),
      file: { bytes: Buffer.from(text), name: "clients.csv", type: "text/csv" },
    });
    const { id } = dataOf(body)["answer"] as { id: number };
    await gateway.runJobs();
    const read = await run(
      `query ($companyId: Int!, $id: Int!) { answer: clientSegmentUpload(companyId: $companyId, id: $id) {
        status message total added failed errors { line rule message } } }`,
      { id },
    );
    return dataOf(read).answer;
  };
  const fieldsOf = ({ errors }: GraphqlResult) =>
    wrongFields(
      errors?.flatMap(({ extensions }) => extensions["errors"] as { field: string; rule: string }[]),
    );

  it("name all clients that are not there at once, and nothing is written", async () => {
    const ana = await client("Ana", "A-1");
    const { id } = await created({ clientIds: [ana] });
    const input = { clientIds: [99_999], externalIds: ["A-1", "nope"] };

    const answers = [
      await create({ name: "S", ...input }),
      await change(id, input),
      await list("addSegmentClients", id, input),
      await list("removeSegmentClients", id, input),
    ];

    expect(answers.map(fieldsOf)).toEqual(
      answers.map(() => ["clientIds[0]:exists", "externalIds[1]:exists"]),
    );
    const where = { companyId: company.id };
    expect(await gateway.db.clientSegment.count({ where })).toBe(1);
    expect(await gateway.db.clientSegmentMember.count({ where })).toBe(1);
  });

  it("let coupons be for their clients, and a segment without clients is nobody", async () => {
    const [ana, bo, cy] = [await client("Ana"), await client("Bo", "B-7"), await client("Cy")];
    const some = await created({ clientIds: [ana], externalIds: ["B-7"] });
    const none = await created({});
    const forSome = await runningCoupon(gateway, company.id, { config: { segmentIds: [none.id, some.id] } });
    const forNone = await runningCoupon(gateway, company.id, { config: { segmentIds: [none.id] } });
    const notSome = await runningCoupon(gateway, company.id, { config: { excludedSegmentIds: [some.id] } });
    const all = async (code: string | undefined) =>
      Promise.all([ana, bo, cy, null].map(async (id) => outcome(code, id)));

    expect(some.listedCount).toBe(2);
    expect(await all(forSome.codes[0])).toEqual([
      1_000,
      1_000,
      "COUPON_NOT_WHITELISTED",
      "COUPON_NOT_WHITELISTED",
    ]);
    expect(await all(forNone.codes[0])).toEqual(Array(4).fill("COUPON_NOT_WHITELISTED"));
    expect(await all(notSome.codes[0])).toEqual(["COUPON_BLACKLISTED", "COUPON_BLACKLISTED", 1_000, 1_000]);
    const { id: orderId } = await createOrder(gateway, company.id, { clientId: cy });
    const consume = mutation("consumeCoupon", "amountE2");
    expect(errorCodes(await consume({ code: forSome.codes[0], orderId }))).toEqual([
      "COUPON_NOT_WHITELISTED",
    ]);
    expect((await tally(gateway, company.id, forSome.id)).counters.spent).toBe(0);
    dataOf(await list("addSegmentClients", some.id, { clientIds: [cy] }));
    expect(dataOf(await consume({ code: forSome.codes[0], orderId })).answer.amountE2).toBe(1_000);
  });

  it("with a filter have whom it fits when they are asked, beside those on their lists", async () => {
    const [ana, bo] = [await client("Ana Alpha"), await client("Bo Beta")];
    const segment = await created({ clientIds: [bo], filter: { name: { startsWith: "ana" } } });
    const { codes } = await runningCoupon(gateway, company.id, { config: { segmentIds: [segment.id] } });
    const excluding = await runningCoupon(gateway, company.id, {
      config: { excludedSegmentIds: [segment.id] },
    });

    expect([await outcome(codes[0], ana), await outcome(codes[0], bo)]).toEqual([1_000, 1_000]);
    expect(await outcome(excluding.codes[0], ana)).toBe("COUPON_BLACKLISTED");
    await gateway.db.client.updateMany({ where: { companyId: company.id, id: ana }, data: { name: "Zoe" } });
    expect(await outcome(codes[0], ana)).toBe("COUPON_NOT_WHITELISTED");
    expect(await outcome(excluding.codes[0], ana)).toBe(1_000);
    expect(fieldsOf(await create({ name: "Wrong", filter: { name: { eq: null } } }))).toHaveLength(1);
    expect(dataOf(await change(segment.id, { filter: null })).answer).toMatchObject({
      filter: null,
      listedCount: 1,
    });
  });

  it("change their lists, and stay while a coupon is for them", async () => {
    const [ana, bo, cy] = [await client("Ana"), await client("Bo", "b"), await client("Cy")];
    const segment = await created({ clientIds: [ana] });
    const { id } = await runningCoupon(gateway, company.id, { config: { segmentIds: [segment.id] } });
    const remove = () =>
      run(
        `mutation ($companyId: Int!, $id: Int!) { deleteClientSegment(companyId: $companyId, id: $id) { id } }`,
        {
          id: segment.id,
        },
      );

    const added = await list("addSegmentClients", segment.id, { clientIds: [ana, cy], externalIds: ["b"] });
    const taken = await list("removeSegmentClients", segment.id, { externalIds: ["b"] });
    const unknown = await list("addSegmentClients", segment.id, {
      clientIds: [2_000_000_000],
      externalIds: ["c"],
    });
    const replaced = await change(segment.id, { name: "Two", externalIds: ["b"] });
    const kept = await remove();
    await gateway.db.coupon.updateMany({
      where: { companyId: company.id, id },
      data: { status: "finished" },
    });

    expect(dataOf(added).answer.listedCount).toBe(3);
    expect(dataOf(taken).answer.listedCount).toBe(2);
    expect(fieldsOf(unknown)).toContain("clientIds[0]:exists");
    expect(dataOf(replaced).answer).toMatchObject({ name: "Two", listedCount: 1 });
    expect(
      await gateway.db.clientSegmentMember.findMany({
        where: { companyId: company.id },
        select: { clientId: true },
      }),
    ).toEqual([{ clientId: bo }]);
    expect(errorCodes(kept)).toEqual(["CONFLICT"]);
    expect(errorCodes(await remove())).toEqual([]);
  });

  it("move their version once with their list, so that of two changes of one version one is made", async () => {
    const [ana, bo] = [await client("Ana", "a"), await client("Bo", "b")];
    const { id } = await created({});
    const update = (input: object, ifVersion?: number) =>
      run(
        `mutation ($companyId: Int!, $id: Int!, $input: UpdateClientSegmentInput!, $ifVersion: Int) {
          answer: updateClientSegment(companyId: $companyId, id: $id, input: $input, ifVersion: $ifVersion) { version } }`,
        { id, input, ifVersion },
      );
    const stored = async () => {
      const where = { companyId: company.id };
      const { version } = await gateway.db.clientSegment.findFirstOrThrow({ where });
      const listed = await gateway.db.clientSegmentMember.findMany({ where, orderBy: { clientId: "asc" } });
      return [version, listed.map(({ clientId }) => clientId)];
    };
    const updated = async (input: object) => [dataOf(await update(input)).answer.version, await stored()];

    const atOnce = await Promise.all([update({ clientIds: [ana] }, 1), update({ externalIds: ["a"] }, 1)]);
    const late = await update({ clientIds: [bo] }, 1);

    expect(atOnce.flatMap(errorCodes)).toEqual(["PRECONDITION_FAILED"]);
    expect(late.errors?.[0]?.extensions).toMatchObject({
      code: "PRECONDITION_FAILED",
      present: { version: 2, actorKind: "admin", actorId: company.ownerId },
    });
    expect(await stored()).toEqual([2, [ana]]);
    expect(await updated({ externalIds: ["a"] })).toEqual([2, [2, [ana]]]);
    expect(await updated({ clientIds: [bo] })).toEqual([3, [3, [bo]]]);
    expect(await updated({ name: "New", clientIds: [ana], externalIds: ["b"] })).toEqual([4, [4, [ana, bo]]]);
    expect(await updated({ name: "New", clientIds: [] })).toEqual([5, [5, []]]);
    dataOf(await list("removeSegmentClients", id, { clientIds: [ana] }));
    expect(await stored()).toEqual([5, []]);
    dataOf(await list("addSegmentClients", id, { clientIds: [ana] }));
    dataOf(await list("addSegmentClients", id, { clientIds: [ana] }));
    expect(await stored()).toEqual([6, [ana]]);
    // The lines of a file come in batches, each of which changes the list.
    await uploaded(id, `external_id\na\n${"none\n".repeat(5_000)}b\n`);
    expect(await stored()).toEqual([7, [ana, bo]]);
  });

  it("take lists of clients from files, of which a wrong line stops no other", async () => {
    const [ana, bo] = [await client("Ana", "007"), await client("Bo", "😀".repeat(64))];
    const segment = await created({ clientIds: [ana] });
    const upload = (text: string) => uploaded(segment.id, text);

    const byOwn = await upload(
      `external_id,note\r\n007,here\r\n${"😀".repeat(64)},new\r\n9,none\r\n007,again\r\n`,
    );
    const byId = await upload(`client_id\n${ana}\n${bo}\nx\n2000000000\n`);
    const wrong = await upload("id\n1\n");

    expect(byOwn).toEqual({
      ...{ status: "finished", message: null, total: 4, added: 1, failed: 1 },
      errors: [{ line: 4, rule: "exists", message: "is the id of no client" }],
    });
    expect(byId).toMatchObject({
      ...{ status: "finished", total: 4, added: 0, failed: 2 },
      errors: [
        { line: 4, rule: "pattern" },
        { line: 5, rule: "exists" },
      ],
    });
    expect(wrong).toMatchObject({ status: "failed", message: expect.stringContaining("client_id") });
    const { listedCount } = await gateway.db.clientSegment.findFirstOrThrow({
      where: { companyId: company.id },
    });
    expect(listedCount).toBe(2);
    const inTrail = { companyId: company.id, targetType: "client_segment_upload" };
    expect(await gateway.db.auditEntry.findMany({ where: inTrail })).toMatchObject(
      Array(3).fill({ operation: "uploadClientSegment", action: "create", adminId: company.ownerId }),
    );
  });

  it("are written by who may edit clients, and named in coupons where they exist", async () => {
    const reader = await adminWith(gateway, company.id, "access_clients");
    const write = `mutation ($companyId: Int!) { createClientSegment(companyId: $companyId, input: { name: "A" }) { id } }`;
    const refused = await company.owner.rest("POST", `/companies/${company.id}/coupons`, {
      body: {
        name: "A",
        type: "promo",
        total_count: 5,
        price_e2: 100,
        config: { segment_ids: [2_000_000_000] },
      },
    });
    const { id } = await created({});
    const made = await company.owner.rest("POST", `/companies/${company.id}/coupons`, {
      body: {
        name: "A",
        type: "promo",
        total_count: 5,
        price_e2: 100,
        config: { segment_ids: [id], excluded_segment_ids: [id] },
      },
    });

    expect(errorCodes(await run(write, {}, reader))).toEqual(["FORBIDDEN"]);
    expect([refused.status, wrongFields(refused.body.errors)]).toEqual([
      422,
      ["config.segment_ids[0]:exists"],
    ]);
    expect(made.body.config).toMatchObject({ segment_ids: [id], excluded_segment_ids: [id] });
  });

  it("are there as long as a coupon names them, whatever is done at once", async () => {
    const remove = `mutation ($companyId: Int!, $id: Int!) { deleteClientSegment(companyId: $companyId, id: $id) { id } }`;
    const tries = await Promise.all(
      Array.from({ length: 8 }, async (_, place) => {
        const { id } = await created({ name: `Segment ${place}` });
        const body = { name: "A", type: "promo", total_count: 5, price_e2: 100 };
        const [made, removed] = await Promise.all([
          company.owner.rest("POST", `/companies/${company.id}/coupons`, {
            body: { ...body, config: { excluded_segment_ids: [id] } },
          }),
          run(remove, { id }),
        ]);
        const isThere =
          (await gateway.db.clientSegment.count({ where: { companyId: company.id, id } })) === 1;
        return { made, removed, isThere };
      }),
    );

    for (const { made, removed, isThere } of tries) {
      if (isThere) expect([made.status, errorCodes(removed)]).toEqual([201, ["CONFLICT"]]);
      else
        expect([made.status, wrongFields(made.body.errors)]).toEqual([
          422,
          ["config.excluded_segment_ids[0]:exists"],
        ]);
    }
    expect(await gateway.db.coupon.count({ where: { companyId: company.id } })).toBe(
      tries.filter(({ isThere }) => isThere).length,
    );
  });

  it("that are gone keep a deleted coupon from coming back, and a finished one from being copied", async () => {
    const { id: segmentId } = await created({ name: "Segment" });
    const path = `/companies/${company.id}/coupons`;
    const made = await company.owner.rest("POST", path, {
      body: { name: "A", type: "promo", total_count: 5, price_e2: 100, config: { segment_ids: [segmentId] } },
    });
    const { id } = made.body as { id: number };
    const withId = { companyId: company.id, id };
    const remove = `mutation ($companyId: Int!, $id: Int!) { deleteClientSegment(companyId: $companyId, id: $id) { id } }`;
    await company.owner.rest("DELETE", `${path}/${id}`);
    dataOf(await run(remove, { id: segmentId }));

    const restored = await company.owner.rest("POST", `${path}/${id}/restore`);
    const deleted = await gateway.db.coupon.findFirstOrThrow({ where: withId });
    await gateway.db.coupon.updateMany({ where: withId, data: { status: "finished", deletedAt: null } });
    const copied = await run(
      "mutation ($companyId: Int!, $id: Int!) { copyCoupon(companyId: $companyId, couponId: $id, input: {}) { id } }",
      { id },
    );

    expect([restored.status, restored.body.code]).toEqual([409, "CONFLICT"]);
    expect(deleted.deletedAt).not.toBeNull();
    expect(errorCodes(copied)).toEqual(["CONFLICT"]);
    expect(await gateway.db.coupon.count({ where: { companyId: company.id } })).toBe(1);
  });

  it("of a company know a client by one id of the company's own", async () => {
    const first = await client("Ana", "A-1");
    const again = await mutation("createClient", "id")({ name: "Bo", externalId: "A-1" });
    const remove = `mutation ($companyId: Int!, $id: Int!) { deleteClient(companyId: $companyId, id: $id) { id } }`;
    const restore = `mutation ($companyId: Int!, $id: Int!) { restoreClient(companyId: $companyId, id: $id) { externalId } }`;

    expect(fieldsOf(again)).toEqual(["externalId:unique"]);
    dataOf(await run(remove, { id: first }));
    const second = await client("Bo", "A-1");
    expect(errorCodes(await run(restore, { id: first }))).toEqual(["CONFLICT"]);
    const found = await run(
      `query ($companyId: Int!) { clients(companyId: $companyId, filter: { externalId: { eq: "A-1" } }) { nodes { id } } }`,
    );
    expect(dataOf(found).clients.nodes).toEqual([{ id: second }]);
  });

  it("of very many clients cost a check the same as of one", async () => {
    await gateway.db.$executeRawUnsafe(`
      INSERT INTO clients (company_id, name) SELECT ${company.id}, 'C' || n FROM generate_series(1, 20000) n`);
    const [last] = await gateway.db.client.findMany({
      where: { companyId: company.id },
      orderBy: { id: "desc" },
      take: 1,
    });
    const { id } = await created({});
    await gateway.db.$executeRawUnsafe(`
      INSERT INTO client_segment_members (company_id, segment_id, client_id) SELECT company_id, ${id}, id FROM clients WHERE company_id = ${company.id}`);
    await gateway.db.$executeRawUnsafe("ANALYZE client_segment_members");

    const chosen = await runningCoupon(gateway, company.id, { config: { segmentIds: [id] } });
    const excluding = await runningCoupon(gateway, company.id, { config: { excludedSegmentIds: [id] } });
    gateway.statements.length = 0;
    expect(await outcome(chosen.codes[0], last?.id ?? 0)).toBeGreaterThan(0);
    expect(await outcome(excluding.codes[0], last?.id ?? 0)).toBe("COUPON_BLACKLISTED");
    expect(gateway.statements.filter((text) => text.includes("coupons"))).toHaveLength(2);

    const plan = await gateway.db.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`
      EXPLAIN SELECT FROM jsonb_array_elements_text('[${id}]'::jsonb) AS e
        JOIN client_segment_members m ON m.company_id = ${company.id} AND m.segment_id = e::int AND m.client_id = ${last?.id}`);

    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(
      /Index Only Scan using client_segment_members/u,
    );
  });
});
