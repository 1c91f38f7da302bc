export interface Example {
  readonly query: string;
  /** The variables as JSON. */
  readonly variables?: string;
}

/** The operations of the first tabs, one each; they run on the demo data as they stand. */
export const EXAMPLES: readonly Example[] = [
  {
    query: `# Goods and what can be chosen; open to everyone.
# Amounts (…E2) are hundredths: 1234 is 12.34.
query Catalogue {
  goods(companyId: 1, orderBy: [{ field: ID }], first: 5) {
    nodes {
      id
      name
      priceE2
      properties {
        displayName
        property { propertyOptions { name priceE2 } }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  },
  {
    query: `# Filter, order and total; see Variables below.
query GoodsBelow($companyId: Int!, $maxPriceE2: SafeInt!) {
  goods(
    companyId: $companyId
    filter: { priceE2: { lte: $maxPriceE2 } }
    orderBy: [{ field: PRICE_E2, direction: DESC }]
    first: 10
  ) {
    totalCount
    nodes { id name priceE2 branchGroup { name } }
  }
}
`,
    variables: JSON.stringify({ companyId: 1, maxPriceE2: 500 }, null, 2),
  },
  {
    query: `# Who am I? Needs a token, see Headers below.
query Me {
  me { id companyId admin { displayName email } }
}
`,
  },
  {
    query: `# Needs the permission can_edit_properties.
mutation CreateProperty {
  createProperty(
    companyId: 1
    input: { name: "Gift wrap", isTypeText: true, propertyText: { regex: "^.{0,80}$" } }
  ) {
    id
    name
    createdAt
  }
}
`,
  },
];
