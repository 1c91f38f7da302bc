import createClient from "openapi-fetch";
import type { paths } from "../../src/generated/rest.js";
import { shownGood } from "./rest-good.js";
import { RefusedError, type ClientAdapter } from "./scenario.js";

export const openapiFetch: ClientAdapter = {
  name: "openapi-fetch",
  async signIn(base, email, password) {
    const client = createClient<paths>({ baseUrl: `${base}/api` });
    const { access_token } = dataOf(await client.POST("/auth/login", { body: { email, password } }));
    const headers = { authorization: `Bearer ${access_token}` };
    return {
      goods: async (companyId) => {
        const query = { load: ["properties.property"], sort: ["name" as const] };
        const params = { path: { companyId }, query };
        return dataOf(await client.GET("/companies/{companyId}/goods", { params, headers })).map(shownGood);
      },
      changePrice: async (companyId, goodId, price_e2) => {
        const params = { path: { companyId, goodId } };
        const path = "/companies/{companyId}/goods/{goodId}";
        return dataOf(await client.PATCH(path, { params, headers, body: { price_e2 } })).price_e2;
      },
    };
  },
};

function dataOf<Data>({ data, error }: { data?: Data; error?: { code: string } }): Data {
  if (error !== undefined) throw new RefusedError(error.code);
  return data as Data;
}
