import {
  ACTIONS_BY_STATE,
  COUPON_ACTIONS,
  type CouponState,
} from "../../src/slices/coupons/coupon-actions.rules.js";
import { createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import { errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { createCoupon, inDays, inState } from "./coupon-rows.js";

type Action = (typeof ACTIONS)[number];
const ACTIONS = [
  "update",
  "link_target",
  "unlink_target",
  "set_ready",
  "update_running",
  "set_finished",
  "delete",
  "restore",
] as const;

interface Standing {
  /** The name of the state in answers. */
  readonly state: string;
  readonly row: object;
  /** The state that each allowed action leads to; all other actions are refused. */
  readonly leadsTo: Partial<Record<Action, string>>;
}

/** What else each state allows on a personal coupon that is not paused; `test/coupons/campaigns` does all of it. */
const BESIDES: Partial<Record<string, readonly string[]>> = {
  pending: ["upload_codes"],
  running: ["pause", "add_codes", "upload_codes"],
};

const OF_RUNNING = { update_running: "running", set_finished: "finished" } as const;

/** The status of a coupon as a table (contract §13.2). A due time counts, whether or not a job has noted it. */
const TABLE: Record<string, Standing> = {
  pending: {
    state: "pending",
    row: inState("pending"),
    leadsTo: {
      update: "pending",
      link_target: "pending",
      unlink_target: "pending",
      set_ready: "generating",
      delete: "pending",
    },
  },
  generating: { state: "generating", row: inState("generating"), leadsTo: { delete: "generating" } },
  ready: { state: "ready", row: inState("ready"), leadsTo: { delete: "ready" } },
  "due to run": {
    state: "running",
    row: { status: "ready", startsAt: inDays(-1) },
    leadsTo: { update_running: "running", set_finished: "finished" },
  },
  running: { state: "running", row: inState("running"), leadsTo: OF_RUNNING },
  "due to end": {
    state: "finished",
    row: { status: "running", startsAt: inDays(-2), endsAt: inDays(-1) },
    leadsTo: { delete: "finished" },
  },
  finished: { state: "finished", row: inState("finished"), leadsTo: { delete: "finished" } },
  deleted: { state: "deleted", row: inState("deleted"), leadsTo: { restore: "pending" } },
};

const CASES = Object.entries(TABLE).flatMap(([name, standing]) =>
  ACTIONS.map((action) => [name, action, standing] as const),
);

interface Call {
  readonly couponId: number;
  readonly targetId: number;
}
interface Answer {
  readonly ok: boolean;
  readonly code: unknown;
  readonly state: unknown;
  readonly allowedActions: unknown;
}

const UPDATE = { name: "Changed" };
const MUTATIONS: Record<Action, string> = {
  update: "updateCoupon(companyId: $companyId, id: $couponId, input: $input)",
  link_target: "linkCouponTarget(companyId: $companyId, couponId: $couponId, targetId: $targetId)",
  unlink_target: "unlinkCouponTarget(companyId: $companyId, couponId: $couponId, targetId: $targetId)",
  set_ready: "setReady(companyId: $companyId, couponId: $couponId)",
  update_running: "updateRunning(companyId: $companyId, couponId: $couponId, input: $input)",
  set_finished: "setFinished(companyId: $companyId, couponId: $couponId)",
  delete: "deleteCoupon(companyId: $companyId, id: $couponId)",
  restore: "restoreCoupon(companyId: $companyId, id: $couponId)",
};
const INPUT_TYPES: Partial<Record<Action, string>> = {
  update: "UpdateCouponInput",
  update_running: "UpdateRunningCouponInput",
};

let gateway: Gateway;
let company: TestCompany;
let linked: { id: number };
let other: { id: number };
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  linked = await createBranchGroup(gateway, company.id);
  other = await createBranchGroup(gateway, company.id);
});
afterAll(() => gateway.close());

const FACES: Record<string, (client: Client, action: Action, call: Call) => Promise<Answer>> = {
  async GraphQL(client, action, call) {
    const mutation = MUTATIONS[action];
    const variables = { companyId: company.id, ...call, input: UPDATE };
    const types = { companyId: "Int", couponId: "Int", targetId: "Int", input: INPUT_TYPES[action] };
    const used = Object.entries(types).filter(([name]) => mutation.includes(`$${name}`));
    const declared = used.map(([name, type]) => `$${name}: ${String(type)}!`).join(", ");
    const passed = Object.fromEntries(
      used.map(([name]) => [name, variables[name as keyof typeof variables]]),
    );
    const result = await client.run(`mutation (${declared}) { ${mutation} { id } }`, passed);
    const { state, allowedActions } = result.errors?.[0]?.extensions ?? {};
    return { ok: result.errors === undefined, code: errorCodes(result)[0], state, allowedActions };
  },
  async REST(client, action, { couponId, targetId }) {
    const path = `/companies/${company.id}/coupons/${couponId}`;
    const { status, body } = await {
      update: () => client.rest("PATCH", path, { body: UPDATE }),
      link_target: () => client.rest("PUT", `${path}/targets/${targetId}`),
      unlink_target: () => client.rest("DELETE", `${path}/targets/${targetId}`),
      set_ready: () => client.rest("POST", `${path}/set-ready`),
      update_running: () => client.rest("PATCH", `${path}/update-running`, { body: UPDATE }),
      set_finished: () => client.rest("POST", `${path}/set-finished`),
      delete: () => client.rest("DELETE", path),
      restore: () => client.rest("POST", `${path}/restore`),
    }[action]();
    const ok = status < 300;
    if (ok) return { ok, code: undefined, state: undefined, allowedActions: undefined };
    expect([body.status, status]).toEqual([status, body.code === "NOT_FOUND" ? 404 : 409]);
    return { ok, code: body.code, state: body.state, allowedActions: body.allowed_actions };
  },
};

/** Everything that an action may change. */
async function stored(couponId: number) {
  const { db } = gateway;
  const where = { companyId: company.id, couponId };
  return {
    coupon: await db.coupon.findFirstOrThrow({ where: { companyId: company.id, id: couponId } }),
    codes: await db.couponCode.findMany({ where }),
    targets: (await db.couponBranchGroup.findMany({ where })).map(({ branchGroupId }) => branchGroupId),
    jobs: await db.$queryRaw`
      SELECT key FROM graphile_worker.jobs WHERE key LIKE ${`%:${company.id}:${couponId}`} ORDER BY key`,
  };
}

async function arrange(row: object): Promise<number> {
  const coupon = await createCoupon(gateway, company.id, { ...row, targetType: "branch_group" });
  await gateway.db.couponBranchGroup.create({
    data: { companyId: company.id, couponId: coupon.id, branchGroupId: linked.id },
  });
  return coupon.id;
}

describe.each(Object.keys(FACES))("through %s", (face) => {
  const act = FACES[face] as (typeof FACES)[string];

  it.each(CASES)("a coupon that is %s and %s", async (name, action, { state, row, leadsTo }) => {
    const couponId = await arrange(row);
    const before = await stored(couponId);
    const targetId = action === "link_target" ? other.id : linked.id;

    const answer = await act(company.owner, action, { couponId, targetId });

    const after = await stored(couponId);
    const next = leadsTo[action];
    if (next === undefined) {
      const isGone = name === "deleted";
      const refusal = isGone
        ? { code: "NOT_FOUND", state: undefined, allowedActions: undefined }
        : {
            code: "INVALID_STATE",
            state,
            allowedActions: [...Object.keys(leadsTo), ...(BESIDES[state] ?? [])],
          };
      expect(answer).toEqual({ ok: false, ...refusal });
      expect(after).toEqual(before);
      return;
    }
    expect(answer.ok).toBe(true);
    expect(after.coupon.updatedAt.getTime()).toBeGreaterThan(before.coupon.updatedAt.getTime());
    expect({
      status:
        after.coupon.status === before.coupon.status ? state.replace("deleted", next) : after.coupon.status,
      isDeleted: after.coupon.deletedAt !== null,
      name: after.coupon.name,
      targets: after.targets,
    }).toEqual({
      status: next,
      isDeleted: action === "delete",
      name: action.startsWith("update") ? UPDATE.name : before.coupon.name,
      targets: { link_target: [linked.id, other.id], unlink_target: [] }[action as string] ?? [linked.id],
    });
  });
});

it("the table is the one that coupons follow", () => {
  const isHere = (action: string) => (ACTIONS as readonly string[]).includes(action);
  const told = Object.fromEntries(
    Object.entries(ACTIONS_BY_STATE).map(([state, actions]) => [state, actions.filter(isHere).sort()]),
  );
  const expected = Object.entries(TABLE)
    .filter(([name, { state }]) => name === state)
    .map(([state, { leadsTo }]) => [state as CouponState, Object.keys(leadsTo).sort()]);

  expect(told).toEqual(Object.fromEntries(expected));
  expect(COUPON_ACTIONS.filter(isHere)).toEqual(ACTIONS);
});
