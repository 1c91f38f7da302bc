export interface Example {
  readonly query: string;
}

/** Operations that run as they stand against the demo data, one a tab. */
export const EXAMPLES: readonly Example[] = [
  {
    query: `# The catalogue is open to everyone: goods with their properties and options.
# Ctrl+Enter runs it. Amounts (…E2) are hundredths: 1234 is 12.34.
query Catalogue {
  goods(companyId: 1, first: 5) {
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
    query: `# Who am I? Needs a token, see Headers below.
query Me {
  me { id companyId admin { displayName email } }
}
`,
  },
  {
    query: `# Creates a property; needs the role can_edit_properties.
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
