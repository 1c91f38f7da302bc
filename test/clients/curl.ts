import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { components } from "../../src/generated/rest.js";
import { shownGood, type GoodView } from "./rest-good.js";
import { RefusedError, type ClientAdapter } from "./scenario.js";

const run = promisify(execFile);

type Schemas = components["schemas"];

/** Runs curl, as somebody who tries the service out in a shell does. */
export const curl: ClientAdapter = {
  name: "curl",
  async signIn(base, email, password) {
    const login = await call<Schemas["AuthTokens"]>("POST", `${base}/api/auth/login`, [], {
      email,
      password,
    });
    const authorization = ["-H", `authorization: Bearer ${login.access_token}`];
    return {
      goods: async (companyId) => {
        const url = `${base}/api/companies/${companyId}/goods?load=properties.property&sort=name`;
        return (await call<GoodView[]>("GET", url, authorization)).map(shownGood);
      },
      changePrice: async (companyId, id, price_e2) => {
        const url = `${base}/api/companies/${companyId}/goods/${id}`;
        return (await call<Schemas["Good"]>("PATCH", url, authorization, { price_e2 })).price_e2;
      },
    };
  },
};

async function call<Data>(method: string, url: string, options: string[], body?: object): Promise<Data> {
  const json = body === undefined ? [] : ["-H", "content-type: application/json", "-d", JSON.stringify(body)];
  const all = ["-sS", "--fail-with-body", "-X", method, ...options, ...json, url];
  try {
    return JSON.parse((await run("curl", all)).stdout) as Data;
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    throw new RefusedError((JSON.parse(stdout) as Schemas["Problem"]).code);
  }
}
