import type { Config } from "./config/config.js";

/** An admin of the demo company, with the credentials that may be shown. */
export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  readonly companyId: number;
  readonly token: string;
}

/** Returns the address that a browser on this machine would use. */
export function baseUrl(host: string, port: number): string {
  const shownHost = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${shownHost.includes(":") ? `[${shownHost}]` : shownHost}:${port}`;
}

/**
 * Returns the lines that say which addresses are served, and how to sign in.
 *
 * @param signIn is `null` when there is no demo.
 */
export function startBanner(
  base: string,
  { explorer, isProduction }: Pick<Config, "explorer" | "isProduction">,
  signIn: DemoSignIn | null,
): string[] {
  return [
    `GraphQL   ${base}/graphql${explorer ? "   (Apollo Sandbox in a browser)" : ""}`,
    `REST      ${base}/api   (described by ${base}/api/openapi.json)`,
    ...(explorer ? [`Explore   ${base}   leads on to ${base}/graphiql and ${base}/api/docs`] : []),
    ...(isProduction ? [] : howToSignIn(signIn)),
  ];
}

function howToSignIn(signIn: DemoSignIn | null): string[] {
  if (signIn === null) return ["Token     by npm run -s token -- --admin EMAIL, --client ID or --platform"];
  const { email, password, companyId, token } = signIn;
  return [
    `Sign in   as ${email}, like all demo admins with the password ${password}`,
    `Token     of ${email}, company ${companyId}, for 15 minutes:`,
    `Authorization: Bearer ${token}`,
  ];
}
