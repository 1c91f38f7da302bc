import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { add, goShopping, type Shopping } from "../carts/carts.js";
import { Marks } from "../access/marks.js";
import { localStore, removeFiles, sendGraphqlForm, type TestStore } from "../files/uploads.js";
import { observedApp } from "../operations/observed-app.js";
import { adminWith } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { textsOfTables } from "../support/table-texts.js";
import { startReceiver, type Receiver } from "../webhooks/receiver.js";
import { send } from "../webhooks/sending.js";
import { asking, webhookOf } from "../webhooks/webhooks.js";

const ERASE = `mutation ($companyId: Int!, $id: Int!) {
  eraseClient(companyId: $companyId, clientId: $id) { id name email phone externalId deletedAt erasedAt } }`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateClientInput!) {
  updateClient(companyId: $companyId, id: $id, input: $input) { id name } }`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteClient(companyId: $companyId, id: $id) { id } }`;
const RESTORE = `mutation ($companyId: Int!, $id: Int!) { restoreClient(companyId: $companyId, id: $id) { id } }`;
const ADJUST = `mutation ($companyId: Int!, $id: Int!) {
  adjustBalance(companyId: $companyId, input: { type: client, key: $id, amountE2: 1 }) { id } }`;
const ORDER = `mutation ($companyId: Int!, $input: CreateOrderInput!) {
  createOrder(companyId: $companyId, input: $input) { id } }`;
const TRAIL = `query ($companyId: Int!, $id: SafeInt!) {
  auditEntries(companyId: $companyId, filter: { targetType: { eq: client }, targetId: { eq: $id } }, orderBy: [{ field: ID, direction: ASC }]) {
    nodes { operation action changes { field before after } } } }`;
const UPDATE_ORDER = `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
  updateOrder(companyId: $companyId, id: $id, input: $input) { id } }`;
const EXPORT = `mutation ($companyId: Int!, $id: Int!) { exportClient(companyId: $companyId, clientId: $id) { url } }`;
interface Person extends Shopping {
  readonly orderId: number;
  run(document: string, variables?: Record<string, unknown>): ReturnType<Shopping["client"]["run"]>;
}

let gateway: Gateway;
let receiver: Receiver;
let store: TestStore;
beforeAll(async () => {
  receiver = await startReceiver();
  store = await localStore();
  const environment = { FETCH_ALLOW: receiver.host, STORAGE_URL: store.url };
  gateway = await startGateway({ own: "database", environment });
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
  await store.close();
});

/** Writes marked values of a client into everything that keeps them. */
async function person(marks: Marks): Promise<Person> {
  const shopping = await goShopping(gateway);
  const { company, clientId: id, client, goodId } = shopping;
  const companyId = company.id;
  const run: Person["run"] = (document, variables = {}) =>
    company.owner.run(document, { companyId, id, ...variables });
  const { id: propertyId } = await gateway.db.property.create({
    data: { companyId, name: "Words", type: 0x400, propertyText: { create: { regex: ".*" } } },
  });
  await gateway.db.goodProperty.create({
    data: { companyId, goodId, propertyId, displayName: "Words", options: 0x400, inOrder: 1 },
  });
  const input = {
    name: marks.text("name"),
    email: `${marks.text("email")}@example.com`,
    phone: marks.text("phone"),
    externalId: marks.text("external id"),
  };
  dataOf(await run(UPDATE, { input: { ...input, name: marks.text("old name") } }));
  dataOf(await run(UPDATE, { input }));
  const address = { name: marks.text("place"), address: marks.text("address") };
  const addresses = `/companies/${companyId}/clients/${id}/client-addresses`;
  expect((await client.rest("POST", addresses, { body: address })).status).toBe(201);
  const words = (name: string) => [{ property_id: propertyId, value: marks.text(name) }];
  const kept = await add(shopping, { notes: marks.text("note"), extras: words("extra") });
  const removed = await add(shopping, { notes: marks.text("note of a removed row") });
  expect([kept.status, removed.status]).toEqual([201, 201]);
  const item = `/companies/${companyId}/cart-items/${removed.body.id as number}`;
  expect((await client.rest("DELETE", item)).status).toBe(204);
  const properties = [{ propertyId, value: marks.text("choice") }];
  const order = dataOf(
    await run(ORDER, { input: { clientId: id, items: [{ goodId, quantity: 1, properties }] } }),
  );
  await gateway.db.refreshToken.create({
    data: {
      companyId,
      subjectKind: "client",
      subjectId: id,
      tokenHash: `hash ${id}`,
      familyId: "00000000-0000-4000-8000-000000000000",
      expiresAt: new Date(Date.now() + 60_000),
      address: marks.text("network"),
      device: marks.text("device"),
    },
  });
  const orderId = order["createOrder"].id as number;
  dataOf(await run(UPDATE_ORDER, { id: orderId, input: { status: "paid" } }));
  const messages = [
    ["Client", id, "a client"],
    ["Order", orderId, "an order"],
    ["Cart", shopping.cartId, "a cart"],
    ["CartItem", removed.body.id as number, "a removed row"],
  ] as const;
  await gateway.db.webhook.create({
    data: {
      companyId,
      url: "https://receiver.example",
      authorKind: "platform",
      deliveries: {
        create: messages.map(([type, entityId, what]) => ({
          type,
          action: "updated",
          entityId,
          at: new Date(),
          retryUntil: new Date(),
          responseBody: marks.text(`answer about ${what}`),
          error: marks.text(`error about ${what}`),
        })),
      },
    },
  });
  return { ...shopping, orderId, run };
}

async function found(marks: Marks): Promise<string[]> {
  const texts = await textsOfTables(gateway.ownerUrl);
  return [...texts].flatMap(([table, text]) => marks.within(text).map((name) => `${table}: ${name}`)).sort();
}

it("leaves nothing personal of a client in any table, and all that counts", async () => {
  const marks = new Marks();
  const { clientId: id, orderId, company, run } = await person(marks);
  const before = await found(marks);

  const erased = dataOf(await run(ERASE))["eraseClient"];

  expect(before).toEqual([
    "public.audit_entries: choice",
    "public.audit_entries: email",
    "public.audit_entries: external id",
    "public.audit_entries: extra",
    "public.audit_entries: name",
    "public.audit_entries: note",
    "public.audit_entries: note of a removed row",
    "public.audit_entries: old name",
    "public.audit_entries: phone",
    "public.cart_items: extra",
    "public.cart_items: note",
    "public.client_addresses: address",
    "public.client_addresses: place",
    "public.clients: email",
    "public.clients: external id",
    "public.clients: name",
    "public.clients: phone",
    "public.external_ids: external id",
    "public.order_items: choice",
    "public.refresh_tokens: device",
    "public.refresh_tokens: network",
    "public.webhook_deliveries: answer about a cart",
    "public.webhook_deliveries: answer about a client",
    "public.webhook_deliveries: answer about a removed row",
    "public.webhook_deliveries: answer about an order",
    "public.webhook_deliveries: error about a cart",
    "public.webhook_deliveries: error about a client",
    "public.webhook_deliveries: error about a removed row",
    "public.webhook_deliveries: error about an order",
  ]);
  expect(await found(marks)).toEqual([]);
  expect(erased).toEqual({
    id,
    name: "",
    email: null,
    phone: null,
    externalId: null,
    deletedAt: expect.any(String),
    erasedAt: expect.any(String),
  });
  expect(await gateway.db.order.findFirst({ where: { companyId: company.id, id: orderId } })).toMatchObject({
    clientId: id,
  });
});

it("takes from each table what the export tells of it, and nothing else that is personal", async () => {
  const marks = new Marks();
  const { orderId, cartId, company, run } = await person(marks);
  const { url } = dataOf(await run(EXPORT))["exportClient"] as { url: string };
  const { body } = await company.owner.rest("GET", url.slice(url.indexOf("/companies/")));
  const { rows } = body as { rows: Record<string, object[]> };
  const told = Object.entries(rows).flatMap(([table, kept]) =>
    marks.within(JSON.stringify(kept)).map((name) => `public.${table}: ${name}`),
  );

  // Own ids stand in a table of their own, so that each is taken once: the client has it, too.
  const kept = (await found(marks)).filter((entry) => !entry.startsWith("public.external_ids:"));
  expect(told.sort()).toEqual(kept);
  const byStaff = rows["audit_entries"]?.map((entry) => {
    const { operation, target_type, target_id } = entry as Record<string, unknown>;
    return `${String(operation)} ${String(target_type)} ${String(target_id)}`;
  });
  expect(byStaff).toEqual(
    expect.arrayContaining([
      `createOrder order ${orderId}`,
      `updateOrder order ${orderId}`,
      expect.stringMatching(/^createOrder order_item /u),
    ]),
  );
  expect(rows["webhook_deliveries"]).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: "Cart", entity_id: cartId })]),
  );
});

it("does the same with a client that was deleted, of whose cart nothing but the trail is left", async () => {
  const marks = new Marks();
  const { cartId, company, run } = await person(marks);
  dataOf(await company.owner.run(`mutation { deleteCart(companyId: ${company.id}, id: ${cartId}) { id } }`));
  dataOf(await run(DELETE));

  dataOf(await run(ERASE));

  expect(await found(marks)).toEqual([]);
  expect(errorCodes(await run(RESTORE))).toEqual(["INVALID_STATE"]);
});

it("stands in the trail, which says what changed and nothing of the values", async () => {
  const marks = new Marks();
  const { clientId: id, run } = await person(marks);

  dataOf(await run(ERASE));
  dataOf(await run(ERASE));

  const { nodes } = dataOf(await run(TRAIL, { id }))["auditEntries"];
  expect(nodes.map(({ operation, action }: Record<string, string>) => `${operation} ${action}`)).toEqual([
    "updateClient update",
    "updateClient update",
    "eraseClient delete",
    "eraseClient erase",
    "eraseClient erase",
  ]);
  expect(nodes[0].changes).toEqual([
    { field: "email", before: null, after: null },
    { field: "externalId", before: null, after: null },
    { field: "name", before: null, after: null },
    { field: "phone", before: null, after: null },
  ]);
});

it("is one change of the client: its deletion, or an update when it was deleted before", async () => {
  const { company, clientId, run } = await person(new Marks());
  const { id: deletedId } = await gateway.db.client.create({
    data: { companyId: company.id, name: "Deleted", email: "deleted@example.com" },
  });
  const versions = async () => {
    const where = { companyId: company.id, id: { in: [clientId, deletedId] } };
    const rows = await gateway.db.client.findMany({ where, orderBy: { id: "asc" } });
    return rows.map(({ version }) => version);
  };
  dataOf(await run(DELETE, { id: deletedId }));
  const path = `/companies/${company.id}/changes?types=client`;
  await journalShowsAll(gateway);
  const { headers } = await company.owner.rest("GET", path);
  const next = /<[^>]*\/api([^>]*)>; rel="next"/u.exec(String(headers["link"]))?.[1] as string;
  const before = await versions();

  for (const id of [clientId, deletedId, clientId, deletedId]) dataOf(await run(ERASE, { id }));
  await journalShowsAll(gateway);
  const { body } = await company.owner.rest("GET", next);

  expect(await versions()).toEqual(before.map((version) => version + 1));
  expect(body.map((change: Record<string, unknown>) => [change["entity_id"], change["action"]])).toEqual([
    [clientId, "deleted"],
    [deletedId, "updated"],
  ]);
  expect([...body[1].fields].sort()).toEqual(["email", "erased_at", "name"]);
  const { nodes } = dataOf(await run(TRAIL, { id: deletedId }))["auditEntries"];
  expect(nodes.map(({ operation, action }: Record<string, string>) => `${operation} ${action}`)).toEqual([
    "deleteClient delete",
    "eraseClient update",
    "eraseClient erase",
    "eraseClient erase",
  ]);
});

it("is refused with a balance, and changes nothing", async () => {
  const marks = new Marks();
  const { run } = await person(marks);
  dataOf(await run(ADJUST));
  const before = await found(marks);

  const result = await run(ERASE);

  expect(errorCodes(result)).toEqual(["INVALID_STATE"]);
  expect(await found(marks)).toEqual(before);
});

it("needs can_edit_clients", async () => {
  const { clientId: id, company } = await goShopping(gateway);
  const reader = await adminWith(gateway, company.id, "access_clients");

  expect(errorCodes(await reader.run(ERASE, { companyId: company.id, id }))).toEqual(["FORBIDDEN"]);
  expect(errorCodes(await company.owner.run(ERASE, { companyId: company.id, id: 2_000_000_000 }))).toEqual([
    "NOT_FOUND",
  ]);
});

it("makes repeated requests read anew what they answered before", async () => {
  const marks = new Marks();
  const { clientId: id, company, run } = await person(marks);
  const query = `mutation { updateClient(companyId: ${company.id}, id: ${id}, input: { name: "${marks.text("late name")}" }) { id name } }`;
  const send = () => company.owner.run(query, {}, { "idempotency-key": `erase ${id}` });
  const first = await send();
  const repeated = await send();

  dataOf(await run(ERASE));

  expect(marks.within(JSON.stringify([first, repeated]))).toEqual(["late name"]);
  const late = await send();
  expect(errorCodes(late)).toEqual(["CONFLICT"]);
  expect(marks.within(JSON.stringify(late))).toEqual([]);
});

describe("what is left of a client whose values went wherever they can get", () => {
  const UPSERT = `mutation ($companyId: Int!, $rows: [UpsertClientInput!]!) {
    upsertClients(companyId: $companyId, by: id, rows: $rows) { id error { message } } }`;
  const SEGMENT = `mutation ($companyId: Int!, $id: Int!) {
    createClientSegment(companyId: $companyId, input: { name: "Listed", clientIds: [$id] }) { id } }`;
  const UPLOAD = `mutation ($companyId: Int!, $segmentId: Int!, $input: UploadClientSegmentInput!) {
    uploadClientSegment(companyId: $companyId, segmentId: $segmentId, input: $input) { id } }`;
  const LISTS = `query ($companyId: Int!) {
    clients(companyId: $companyId, withDeleted: true) { nodes { id name email phone externalId } }
    orders(companyId: $companyId) { nodes { id items { properties { value } } client { name email } } }
    carts(companyId: $companyId) { nodes { id items { notes extras { value } } client { name phone } } }
    auditEntries(companyId: $companyId) { nodes { changes { field before after } } }
    changes(companyId: $companyId) { nodes { type action } } }`;
  const REST_LISTS = ["audit-entries", "audit-entries?format=csv", "changes"];

  it("is nothing: not in a table, a file of the store, the log, a list, an export, nor the answer to a repeat", async () => {
    const marks = new Marks();
    const shopping = await person(marks);
    const { clientId: id, company, client, run } = shopping;
    const observed = await observedApp(gateway, { STORAGE_URL: store.url });
    const logged = async (by: Client, query: string, key?: string) => {
      const headers = {
        authorization: `Bearer ${by.token}`,
        ...(key !== undefined && { "idempotency-key": key }),
      };
      const variables = { companyId: company.id, id };
      return (
        await observed.app.inject({ method: "POST", url: "/graphql", headers, payload: { query, variables } })
      ).body;
    };
    // The receiver gets its values by a query, and says some of them in its answers.
    await journalShowsAll(gateway);
    const query = `query ($companyId: Int!) { clients(companyId: $companyId) { nodes { name email } } }`;
    webhookOf(await asking(() => company).create({ url: receiver.url, query }));
    receiver.answers(({ body: { type } }) => ({ status: 500, body: marks.text(`answer about ${type}`) }));
    const row = { id, name: marks.text("upserted name"), externalId: marks.text("upserted id") };
    expect(dataOf(await run(UPSERT, { rows: [row] }))["upsertClients"]).toEqual([{ id, error: null }]);
    await add(shopping, { notes: marks.text("late note") });
    const address = { name: marks.text("late place"), address: marks.text("late address") };
    await client.rest("POST", `/companies/${company.id}/clients/${id}/client-addresses`, { body: address });
    dataOf(await run(ORDER, { input: { clientId: id, items: [{ goodId: shopping.goodId, quantity: 1 }] } }));
    await send(gateway, 2);
    // A file has its id among the company's own.
    const segmentId = dataOf(await run(SEGMENT))["createClientSegment"].id as number;
    const uploaded = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({
        query: UPLOAD,
        variables: { companyId: company.id, segmentId, input: { file: null } },
      }),
      map: JSON.stringify({ file: ["variables.input.file"] }),
      file: {
        bytes: Buffer.from(`external_id\n${row.externalId}\n${marks.text("unknown id")}\n`),
        name: "c.csv",
        type: "text/csv",
      },
    });
    dataOf(uploaded.body);
    const filesBefore = await textOfStore();
    await gateway.runJobs();
    // Kept answers, an export, and requests that are refused.
    const url = dataOf(await run(EXPORT))["exportClient"].url as string;
    const link = url.slice(url.indexOf("/companies/"));
    const exported = JSON.stringify((await company.owner.rest("GET", link)).body);
    const write = `mutation { updateClient(companyId: ${company.id}, id: ${id}, input: { name: "${marks.text("kept name")}" }) { id name email } }`;
    const kept = await logged(company.owner, write, `everywhere ${id}`);
    await logged(company.owner, write.replace("name email", `name ${marks.text("wrong field")}`));
    await logged(
      company.owner,
      `mutation { updateClient(companyId: ${company.id}, id: ${id}, input: { email: "${marks.text("no address")}" }) { id } }`,
    );
    const { token } = company.owner;
    await observed.app.inject({
      url: `/api/companies/${company.id}/audit-entries?actor=${marks.text("kept name")}&nothing=${marks.text("wrong parameter")}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const before = await found(marks);

    const erased = await logged(company.owner, ERASE);
    await removeFiles(gateway, company.id);
    const repeated = await logged(company.owner, write, `everywhere ${id}`);

    const kinds = ["client.updated", "cart_item.created", "order.created"];
    expect(before).toEqual(
      expect.arrayContaining(kinds.map((kind) => `public.webhook_deliveries: answer about ${kind}`)),
    );
    expect(marks.within(filesBefore).sort()).toEqual(["unknown id", "upserted id"]);
    expect(marks.within(exported)).toEqual(
      expect.arrayContaining(["upserted name", "late note", "late address"]),
    );
    expect(marks.within(kept)).toEqual(expect.arrayContaining(["kept name", "email"]));
    expect(await found(marks)).toEqual([]);
    expect(marks.within(await textOfStore())).toEqual([]);
    expect(marks.within(observed.log())).toEqual([]);
    expect(JSON.parse(erased)).toMatchObject({ data: { eraseClient: { id, name: "" } } });
    expect(marks.within(repeated)).toEqual([]);
    const again = dataOf(await run(EXPORT))["exportClient"].url as string;
    const answers = [
      await run(LISTS),
      ...(await Promise.all(
        [
          ...[...REST_LISTS, `carts/${shopping.cartId}/cart-items`].map(
            (path) => `/companies/${company.id}/${path}`,
          ),
          again.slice(again.indexOf("/companies/")),
          link,
        ].map((path) => company.owner.rest("GET", path)),
      )),
    ];
    expect(errorCodes(answers[0] as Awaited<ReturnType<typeof run>>)).toEqual([]);
    expect(answers.slice(1).map((answer) => (answer as { status: number }).status)).toEqual(
      Array(6).fill(200),
    );
    expect(marks.within(JSON.stringify(answers))).toEqual([]);
    await observed.app.close();
  });

  it("is no answer of a receiver that was on its way meanwhile", async () => {
    const marks = new Marks();
    const { company, clientId: id } = await goShopping(gateway);
    await journalShowsAll(gateway);
    const query = `query ($companyId: Int!, $id: Int!) { client(companyId: $companyId, id: $id) { name } }`;
    const hook = webhookOf(
      await asking(() => company).create({ url: `${receiver.url}/late`, types: ["Client"], query }),
    );
    dataOf(
      await company.owner.run(UPDATE, { companyId: company.id, id, input: { name: marks.text("name") } }),
    );
    const erased: string[] = [];
    // Messages of other tests are tried again meanwhile.
    const isOwn = ({ path }: { path: string }) => path.endsWith("/late");
    receiver.answers(async ({ path, text, body: { type } }) => {
      if (isOwn({ path }) && type === "client.updated" && erased.length === 0)
        erased.push(...errorCodes(await company.owner.run(ERASE, { companyId: company.id, id })), "erased");
      return { status: 200, body: text };
    });

    await send(gateway);

    expect(marks.within(receiver.received.find(isOwn)?.text ?? "")).toEqual(["name"]);
    expect(erased).toEqual(["erased"]);
    expect(await found(marks)).toEqual([]);
    const sent = await gateway.db.webhookDelivery.findMany({
      where: { companyId: company.id, webhookId: hook.id },
      orderBy: { id: "asc" },
    });
    expect(sent[0]).toMatchObject({ status: "delivered", responseStatus: 200, responseBody: null });
  });

  it("takes what its orders have, and lets none be written with choices meanwhile", async () => {
    const marks = new Marks();
    const { run, company, clientId: id, goodId, orderId } = await person(marks);
    const companyId = company.id;
    const { propertyId } = await gateway.db.goodProperty.findFirstOrThrow({ where: { companyId, goodId } });
    const properties = [{ propertyId, value: marks.text("late choice") }];
    const input = { clientId: id, items: [{ goodId, quantity: 1, properties }] };
    let written: ReturnType<typeof run>[] = [];
    await gateway.db.$transaction(async (db) => {
      await db.client.updateMany({
        where: { companyId, id },
        data: { deletedAt: new Date(), erasedAt: new Date() },
      });
      written = [run(ORDER, { input }), run(UPDATE_ORDER, { id: orderId, input })];
      await untilLockWaits(gateway.url, 2);
    });

    const refused = await Promise.all(written);
    dataOf(await run(ERASE));

    expect(refused.map(errorCodes)).toEqual([["VALIDATION_FAILED"], ["VALIDATION_FAILED"]]);
    expect(await gateway.db.order.count({ where: { companyId } })).toBe(1);
    expect(await found(marks)).toEqual([]);
  });

  it("is what is kept by law or names no client: fiscal documents, words of movements, names of rooms", async () => {
    const marks = new Marks();
    const { company, clientId: id } = await goShopping(gateway);
    const companyId = company.id;
    const run = (document: string) => company.owner.run(document, { companyId, id });
    const room = `mutation ($companyId: Int!) { createChatRoom(companyId: $companyId, input: { name: "${marks.text("room")}" }) { id } }`;
    dataOf(await run(room));
    for (const amountE2 of [5, -5])
      await company.owner.rest("POST", `/companies/${companyId}/balance-movements/adjust`, {
        body: { type: "client", key: id, amount_e2: amountE2, description: marks.text("words") },
      });
    await gateway.db.invoiceDocument.create({
      data: {
        companyId,
        type: "invoice",
        reference: "A-17",
        relatedType: "order",
        relatedId: 17,
        targetType: "client",
        targetId: id,
        payload: { result: { name: marks.text("buyer") } },
      },
    });

    dataOf(await run(ERASE));

    expect(await found(marks)).toEqual([
      "public.audit_entries: room",
      "public.balance_movements: words",
      "public.chat_rooms: room",
      "public.invoice_documents: buyer",
    ]);
  });

  /** All that the files of the store hold, and their names. */
  async function textOfStore(): Promise<string> {
    const directory = fileURLToPath(store.url);
    const names = await readdir(directory);
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "latin1")));
    return [...names, ...texts].join("\n");
  }
});
