import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { startPair, until, type Pair } from "../support/replica.js";
import { type Receiver, startReceiver } from "../webhooks/receiver.js";
import { send } from "../webhooks/sending.js";
import { asking, webhookOf } from "../webhooks/webhooks.js";

/** Two gateways read the replica of one primary. */
describe("reads with a replica", () => {
  let pair: Pair;
  let gateways: [Gateway, Gateway];
  let company: TestCompany;
  let path: string;
  let receiver: Receiver;

  beforeAll(async () => {
    pair = await startPair();
    receiver = await startReceiver();
    const { url, ownerUrl } = pair;
    const settings = {
      on: { url, ownerUrl },
      environment: { DATABASE_REPLICA_URLS: pair.replicaUrl, RATE_LIMIT: "0", FETCH_ALLOW: receiver.host },
    };
    gateways = [await startGateway(settings), await startGateway(settings)];
    company = await createCompany(gateways[0]);
    const { id } = await createProperty(gateways[0], company.id);
    path = `/companies/${company.id}/properties/${id}`;
  });

  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
    await receiver.close();
    await pair.stop();
  });

  const readsOfReplica = (): number =>
    gateways.reduce((sum, { database }) => sum + (database.replicas()[0]?.reads ?? 0), 0);
  const isInUse = ({ database }: Gateway): boolean => database.replicas()[0]?.isInUse === true;
  /** Reads until both gateways read the replica: it is asked only while there are requests. */
  const inUse = (): Promise<void> =>
    until(async () => {
      for (const gateway of gateways) await read(gateway);
      return gateways.every(isInUse);
    });

  async function read({ withToken }: Gateway): Promise<{ status: number; name: string }> {
    const { status, body } = await withToken(company.owner.token).rest("GET", path);
    return { status, name: body.name as string };
  }

  /** Changes a row through one gateway and reads it through both. @returns the answers that do not show the change. */
  async function changeAndRead(round: number): Promise<object[]> {
    const [writer] = round % 2 === 0 ? gateways : [gateways[1]];
    const name = `round ${round}`;
    const { status } = await writer.withToken(company.owner.token).rest("PATCH", path, { body: { name } });
    expect(status).toBe(200);
    const answers = await Promise.all([...gateways, ...gateways].map(read));
    return answers.filter((answer) => answer.status !== 200 || answer.name !== name);
  }

  async function rounds(first: number, count: number): Promise<object[]> {
    const stale: object[] = [];
    for (let round = first; round < first + count; round += 1) stale.push(...(await changeAndRead(round)));
    return stale;
  }

  it("see each change that was answered, through every gateway", async () => {
    await inUse();
    const before = readsOfReplica();

    expect(await rounds(0, 60)).toEqual([]);
    expect(readsOfReplica()).toBeGreaterThan(before);
  });

  it("of a webhook's query see the change that it tells of", async () => {
    const query = "query ($companyId: Int!, $id: Int!) { good(companyId: $companyId, id: $id) { name } }";
    const [gateway] = gateways;
    const ask = asking(() => company);
    webhookOf(await ask.create({ url: receiver.url, types: ["Good"], query }));
    await pair.delayReplica(70);
    const names: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      await inUse();
      const name = `Good ${round}`;
      names.push(name);
      await createGood(gateway, company.id, { name });
      await send(gateway);
    }
    await pair.delayReplica(0);

    expect(receiver.received.map(({ body }) => body.data["result"])).toEqual(
      names.map((name) => ({ good: { name } })),
    );
  });

  it("of all balances sum to zero while others post", async () => {
    await inUse();
    const { id: companyId, owner } = company;
    const clients = await gateways[0].db.client.createManyAndReturn({
      data: ["Ada", "Bob", "Eve"].map((name) => ({ companyId, name })),
    });
    let isOver = false;
    const post = async (client: { id: number }, place: number): Promise<void> => {
      const poster = (gateways[place % 2] as Gateway).withToken(owner.token);
      for (let turn = 1; !isOver; turn += 1) {
        const body = { type: "client", key: client.id, amount_e2: turn };
        const { status } = await poster.rest("POST", `/companies/${companyId}/balance-movements/adjust`, {
          body,
        });
        expect(status).toBe(200);
      }
    };
    const posting = Promise.all(clients.map(post));
    const statements = `/companies/${companyId}/balance-statements?from=2026-06-01&until=2027-07-01`;
    const sums: number[] = [];
    try {
      for (let turn = 0; turn < 20; turn += 1) {
        const [first, second] = gateways.map(({ withToken }) => withToken(owner.token)) as [Client, Client];
        let sum = 0;
        let url: string | undefined = `${statements}&per_page=2`;
        for (let reader = first; url !== undefined; reader = reader === first ? second : first) {
          const { status, body, headers } = await reader.rest("GET", url);
          expect(status).toBe(200);
          for (const { closing_e2: closing } of body as { closing_e2: number }[]) sum += closing;
          url = /<\/api(?<next>[^>]+)>; rel="next"/u.exec(String(headers["link"]))?.groups?.["next"];
        }
        const csv = await second.rest("GET", `${statements}&format=csv&columns=closing_e2`);
        const closings = (csv.body as string).trim().split("\r\n").slice(1).map(Number);
        sums.push(
          sum,
          closings.reduce((all, closing) => all + closing, 0),
        );
      }
    } finally {
      isOver = true;
      await posting;
    }

    expect(sums).toEqual(sums.map(() => 0));
  });

  it("leave a replica that lags, and come back to it", async () => {
    await inUse();
    await pair.delayReplica(2_000);

    expect(await rounds(1_000, 30)).toEqual([]);
    expect(gateways.map(isInUse)).toEqual([false, false]);

    await pair.delayReplica(0);
    await inUse();
    expect(await rounds(2_000, 30)).toEqual([]);
  });

  it("are done by the primary when the replica breaks them off, dies or stands still", async () => {
    await inUse();
    const stale: object[] = [];
    for (let round = 3_000; round < 3_020; round += 1) {
      if (round === 3_005) pair.signalReplica("SIGQUIT");
      stale.push(...(await changeAndRead(round)));
    }
    expect(stale).toEqual([]);

    await pair.restartReplica();
    await inUse();
    const pending = gateways.flatMap((gateway) => Array.from({ length: 8 }, () => read(gateway)));
    pair.signalReplica("SIGSTOP");
    stale.push(...(await Promise.all(pending)).filter(({ status }) => status !== 200));
    stale.push(...(await rounds(4_000, 5)));
    pair.signalReplica("SIGCONT");

    expect(stale).toEqual([]);
    await inUse();
  });
});
