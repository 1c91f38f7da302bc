import {
  ACTIONS_BY_STATUS,
  COMPANY_EVENT_ACTIONS,
  type CompanyEventAction,
  type CompanyEventStatus,
} from "../../src/slices/company-events/company-event-actions.rules.js";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { STORED, storeEvent, type Stored } from "./events.js";

/** The actions that each state allows, with the state that each leads to. */
const TABLE: Readonly<Record<Stored, Partial<Record<CompanyEventAction, CompanyEventStatus>>>> = {
  pending: { update: "pending", set_ready: "running" },
  ready: {},
  running: { set_finished: "finished" },
  finished: {},
  // A begun event counts as running and an ended one as finished, from the very moment of the due time.
  begun: { set_finished: "finished" },
  ended: {},
};
const SHOWN: Readonly<Record<Stored, CompanyEventStatus>> = {
  pending: "pending",
  ready: "ready",
  running: "running",
  finished: "finished",
  begun: "running",
  ended: "finished",
};

interface Faces {
  readonly graphql: string;
  readonly input: object | null;
  readonly method: "PATCH" | "POST";
  readonly path: string;
}
const FACES: Readonly<Record<CompanyEventAction, Faces>> = {
  update: {
    graphql:
      "mutation ($companyId: Int!, $id: Int!, $input: UpdateCompanyEventInput!) { done: updateCompanyEvent(companyId: $companyId, id: $id, input: $input) { status name } }",
    input: { name: "Changed" },
    method: "PATCH",
    path: "",
  },
  set_ready: {
    graphql:
      "mutation ($companyId: Int!, $id: Int!, $input: SetCompanyEventReadyInput) { done: setCompanyEventReady(companyId: $companyId, companyEventId: $id, input: $input) { status } }",
    input: {},
    method: "POST",
    path: "/set-ready",
  },
  set_finished: {
    graphql:
      "mutation ($companyId: Int!, $id: Int!) { done: setCompanyEventFinished(companyId: $companyId, companyEventId: $id) { status } }",
    input: null,
    method: "POST",
    path: "/set-finished",
  },
};

const pairs = (Object.keys(STORED) as Stored[]).flatMap((stored) =>
  COMPANY_EVENT_ACTIONS.map((action) => [stored, action] as const),
);

describe("the states of an event", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let reader: Client;
  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    reader = await adminWith(gateway, acme.id, "access_company_events");
  });
  afterAll(() => gateway.close());

  const rowOf = (id: number) =>
    gateway.db.companyEvent.findUniqueOrThrow({
      where: { companyId_id: { companyId: acme.id, id } },
      include: { prizes: true },
    });

  it.each(pairs)("an event that is %s, %s, by GraphQL", async (stored, action) => {
    const { id } = await storeEvent(gateway, acme.id, stored);
    const before = await rowOf(id);
    const { graphql, input } = FACES[action];

    const result = await acme.owner.run(graphql, {
      companyId: acme.id,
      id,
      ...(input !== null && { input }),
    });

    const next = TABLE[stored][action];
    if (next !== undefined) {
      expect(result.errors).toBeUndefined();
      expect(result.data?.["done"]).toMatchObject({ status: next });
      return;
    }
    expect(errorCodes(result)).toEqual(["INVALID_STATE"]);
    expect(result.errors?.[0]?.extensions).toMatchObject({
      status: 409,
      state: SHOWN[stored],
      allowedActions: Object.keys(TABLE[stored]),
    });
    expect(await rowOf(id)).toEqual(before);
  });

  it.each(pairs)("an event that is %s, %s, by REST", async (stored, action) => {
    const { id } = await storeEvent(gateway, acme.id, stored);
    const before = await rowOf(id);
    const { method, path, input } = FACES[action];

    const { status, body } = await acme.owner.rest(
      method,
      `/companies/${acme.id}/company-events/${id}${path}`,
      {
        ...(input !== null && { body: input }),
      },
    );

    const next = TABLE[stored][action];
    if (next !== undefined) {
      expect([status, body.status]).toEqual([200, next]);
      return;
    }
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "INVALID_STATE",
      state: SHOWN[stored],
      allowed_actions: Object.keys(TABLE[stored]),
    });
    expect(await rowOf(id)).toEqual(before);
  });

  it.each(Object.keys(STORED) as Stored[])(
    "says what can be done with an event that is %s",
    async (stored) => {
      const { id } = await storeEvent(gateway, acme.id, stored);
      const query =
        "query ($companyId: Int!, $id: Int!) { companyEvent(companyId: $companyId, id: $id) { status allowedActions } }";

      const byOwner = await acme.owner.run(query, { companyId: acme.id, id });
      const byReader = await reader.run(query, { companyId: acme.id, id });

      const allowedActions = Object.keys(TABLE[stored]);
      expect(byOwner.data?.["companyEvent"]).toEqual({ status: SHOWN[stored], allowedActions });
      expect(byReader.data?.["companyEvent"]).toEqual({ status: SHOWN[stored], allowedActions: [] });
    },
  );

  it("has this very table in its rules", () => {
    for (const [stored, allowed] of Object.entries(TABLE)) {
      expect([...ACTIONS_BY_STATUS[SHOWN[stored as Stored]]]).toEqual(Object.keys(allowed));
    }
  });

  it("lets one of two who set it ready at once do so", async () => {
    const { id } = await storeEvent(gateway, acme.id, "pending");
    const path = `/companies/${acme.id}/company-events/${id}/set-ready`;

    const answers = await Promise.all(Array.from({ length: 8 }, () => acme.owner.rest("POST", path)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect((await rowOf(id)).prizes).toHaveLength(1);
  });
});
