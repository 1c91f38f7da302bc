export interface Example {
  readonly query: string;
  /** The variables as JSON. */
  readonly variables?: string;
  /** Who runs it: a client of the demo company, or its owner when absent. */
  readonly as?: "client";
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
    query: `# Some filters of which one fits, one that must not:
# words come in any order. See Variables below.
query Search($words: String!, $maxPriceE2: SafeInt!) {
  goods(
    companyId: 1
    filter: {
      or: [{ name: { words: $words } }, { keywords: { contains: "arepa" } }]
      not: { priceE2: { gt: $maxPriceE2 } }
    }
    orderBy: [{ field: PRICE_E2, direction: DESC }]
    first: 10
  ) {
    totalCount
    nodes { id name priceE2 branchGroup { name } }
  }
}
`,
    variables: JSON.stringify({ words: "queso pizza", maxPriceE2: 1000 }, null, 2),
  },
  {
    query: `# A filter, the total, and allowedActions:
# they say which buttons a page shows.
query Coupons {
  couponCounts(companyId: 1, by: status) {
    value
    count
  }
  coupons(
    companyId: 1
    filter: { status: { in: [running, ready] }, not: { type: { eq: gift_card } } }
    orderBy: [{ field: ID }]
    first: 10
  ) {
    totalCount
    nodes {
      id
      name
      type
      status
      promoCode
      pricePrc
      priceE2
      spentCount
      totalCount
      allowedActions
    }
  }
}
`,
  },
  {
    query: `# What a code gives, and why: each rule and step.
# It changes nothing.
mutation Check {
  checkCoupon(
    companyId: 1
    input: { couponCode: "AVILA10", subtotalE2: 9500, explain: true }
  ) {
    coupon { id name }
    discountE2
    companyDiscountE2
    explanation {
      steps { step amountE2 detail }
      rules { rule passed required actual }
    }
  }
}
`,
  },
  {
    query: `# Coupon drops, and what is won of them so far.
# Once a drop is over its seed is open, and
# everybody can repeat its draws.
query Drops {
  companyEvents(companyId: 1, filter: { status: { in: [running, finished] } }) {
    nodes {
      id
      name
      status
      config { couponSeeds { winRate couponValueE2 couponValuePrc } }
      prizes { place maxCount wonCount }
      seedHash
      seed
    }
  }
}
`,
  },
  {
    query: `# A client shakes until it wins; the token
# under Headers is the client's.
mutation Shake {
  shake(companyId: 1) {
    drawNumber
    won
    message
    code
    coupon { name pricePrc priceE2 minPurchaseE2 }
  }
}
`,
    as: "client",
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
