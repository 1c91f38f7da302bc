import { Client, fetchExchange, type OperationResult } from "@urql/core";
import { ChangeGoodDocument, ShopGoodsDocument, SignInDocument } from "../../src/generated/operations.js";
import { shownGoods } from "./graphql-good.js";
import { RefusedError, type ClientAdapter } from "./scenario.js";

export const urql: ClientAdapter = {
  name: "urql",
  async signIn(base, email, password) {
    const connect = (headers: Record<string, string>) =>
      new Client({ url: `${base}/graphql`, exchanges: [fetchExchange], fetchOptions: { headers } });
    const { login } = dataOf(await connect({}).mutation(SignInDocument, { email, password }));
    const client = connect({ authorization: `Bearer ${login?.accessToken}` });
    return {
      goods: async (companyId) => shownGoods(dataOf(await client.query(ShopGoodsDocument, { companyId }))),
      changePrice: async (companyId, id, priceE2) =>
        dataOf(await client.mutation(ChangeGoodDocument, { companyId, id, input: { priceE2 } })).updateGood
          ?.priceE2,
    };
  },
};

function dataOf<Data>({ data, error }: OperationResult<Data>): Data {
  if (error?.networkError) throw error.networkError;
  if (error !== undefined) throw new RefusedError(error.graphQLErrors[0]?.extensions["code"]);
  return data as Data;
}
