import { ClientError, GraphQLClient } from "graphql-request";
import { ChangeGoodDocument, ShopGoodsDocument, SignInDocument } from "../../src/generated/operations.js";
import { shownGoods } from "./graphql-good.js";
import { RefusedError, type ClientAdapter } from "./scenario.js";

export const graphqlRequest: ClientAdapter = {
  name: "graphql-request",
  async signIn(base, email, password) {
    const client = new GraphQLClient(`${base}/graphql`);
    const { login } = await refused(client.request(SignInDocument, { email, password }));
    client.setHeader("authorization", `Bearer ${login?.accessToken}`);
    return {
      goods: async (companyId) => shownGoods(await refused(client.request(ShopGoodsDocument, { companyId }))),
      changePrice: async (companyId, id, priceE2) =>
        (await refused(client.request(ChangeGoodDocument, { companyId, id, input: { priceE2 } }))).updateGood
          ?.priceE2,
    };
  },
};

async function refused<Data>(answer: Promise<Data>): Promise<Data> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ClientError
      ? new RefusedError(error.response.errors?.[0]?.extensions["code"])
      : error;
  }
}
