import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from "@apollo/client";
import { ChangeGoodDocument, ShopGoodsDocument, SignInDocument } from "../../src/generated/operations.js";
import { shownGoods } from "./graphql-good.js";
import { RefusedError, type ClientAdapter } from "./scenario.js";

export const apolloClient: ClientAdapter = {
  name: "Apollo Client",
  async signIn(base, email, password) {
    const connect = (headers: Record<string, string>) =>
      new ApolloClient({
        link: new HttpLink({ uri: `${base}/graphql`, headers }),
        cache: new InMemoryCache(),
      });
    const { login } = await dataOf(
      connect({}).mutate({ mutation: SignInDocument, variables: { email, password } }),
    );
    const client = connect({ authorization: `Bearer ${login?.accessToken}` });
    return {
      goods: async (companyId) =>
        shownGoods(
          await dataOf(
            client.query({ query: ShopGoodsDocument, variables: { companyId }, fetchPolicy: "network-only" }),
          ),
        ),
      changePrice: async (companyId, id, priceE2) => {
        const variables = { companyId, id, input: { priceE2 } };
        return (await dataOf(client.mutate({ mutation: ChangeGoodDocument, variables }))).updateGood?.priceE2;
      },
    };
  },
};

async function dataOf<Data>(answer: Promise<{ data?: Data | undefined }>): Promise<Data> {
  try {
    return (await answer).data as Data;
  } catch (error) {
    throw CombinedGraphQLErrors.is(error) ? new RefusedError(error.errors[0]?.extensions?.["code"]) : error;
  }
}
