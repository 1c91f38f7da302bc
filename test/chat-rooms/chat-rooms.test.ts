import { adminWith, createCompany, signedInClient, unique, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const CREATE = `mutation ($companyId: Int!, $input: CreateChatRoomInput!) {
  createChatRoom(companyId: $companyId, input: $input) { id channel }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateChatRoomInput!) {
  updateChatRoom(companyId: $companyId, id: $id, input: $input) { id channel lastMessageId }
}`;
const create = async (input: object = {}) => {
  const result = await company.owner.run(CREATE, { companyId: company.id, input });
  return dataOf(result)["createChatRoom"] as { id: number; channel: string };
};
const rooms = () =>
  gateway.db.chatRoom.findMany({ where: { companyId: company.id }, orderBy: { id: "asc" } });

it("shows a room with its defaults, and a channel that nobody can guess", async () => {
  const { id, channel } = await create();

  const { status, body } = await company.owner.rest("GET", `/companies/${company.id}/chat-rooms/${id}`);

  expect(status).toBe(200);
  expect(body).toEqual({
    id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    version: 1,
    is_enabled: true,
    is_direct: false,
    is_private: false,
    name: null,
    image_url: null,
    company_id: company.id,
    last_message_id: null,
    channel,
    target_type: null,
  });
  expect(channel).toMatch(/^[\w-]{32}$/u);
  expect((await create()).channel).not.toBe(channel);
});

it("keeps channels apart within a company, not among companies", async () => {
  const channel = unique();
  const { id } = await create();
  await create({ channel });
  const before = await rooms();

  const created = await company.owner.run(CREATE, { companyId: company.id, input: { channel } });
  const updated = await company.owner.run(UPDATE, { companyId: company.id, id, input: { channel } });

  for (const { errors } of [created, updated])
    expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["channel:unique"]);
  expect(await rooms()).toEqual(before);
  const other = await createCompany(gateway);
  dataOf(await other.owner.run(CREATE, { companyId: other.id, input: { channel } }));
});

it("takes the newest message from the chat server, and keeps the channel", async () => {
  const { id, channel } = await create();

  const result = await company.owner.run(UPDATE, {
    companyId: company.id,
    id,
    input: { lastMessageId: 9_000_000_000 },
  });

  expect(dataOf(result)["updateChatRoom"]).toEqual({ id, channel, lastMessageId: 9_000_000_000 });
});

it("shows rooms, private ones too, to who may see chat rooms, and to nobody else", async () => {
  const { id } = await create({ isPrivate: true });
  const reader = await adminWith(gateway, company.id, "access_chat_rooms");
  const other = await adminWith(gateway, company.id, "access_goods");
  const { client } = await signedInClient(gateway, company.id);
  const foreign = await createCompany(gateway);
  const list = `/companies/${company.id}/chat-rooms`;

  expect((await reader.rest("GET", list)).body).toMatchObject([{ id, is_private: true }]);
  for (const path of [list, `${list}/${id}`]) {
    const statuses = await Promise.all(
      [gateway.anonymous, other, client, foreign.owner].map(
        async (caller) => (await caller.rest("GET", path)).status,
      ),
    );
    expect(statuses).toEqual([401, 403, 403, 403]);
  }
  expect((await foreign.owner.rest("GET", `/companies/${foreign.id}/chat-rooms/${id}`)).status).toBe(404);
});

it("filters, sorts and picks fields", async () => {
  const a = await create({ name: "Berlin", targetType: "order", lastMessageId: 7 });
  const b = await create({ name: "Ávila", isDirect: true, lastMessageId: 3 });
  const ids = async (query: string) =>
    (await company.owner.rest("GET", `/companies/${company.id}/chat-rooms?${query}`)).body;

  expect(await ids("fields=id&sort=last_message_id")).toEqual([{ id: b.id }, { id: a.id }]);
  expect(await ids("fields=id&filter[is_direct]=true")).toEqual([{ id: b.id }]);
  expect(await ids("fields=name&filter[target_type]=order")).toEqual([{ name: "Berlin" }]);
  expect(await ids("fields=id&filter[name][contains]=avila")).toEqual([{ id: b.id }]);
});
