/** The content of `/app/config.json`, which the dashboard loads first: one build serves every stage. */
export type DashboardConfig = {
  /** The name of the stage, which the pages show. */
  stage?: string;
  issuer: string;
  /** URL of the discovery document, if it is not below the issuer. */
  metadataUrl?: string;
  clientId: string;
  /** Space-separated scopes. Some providers require `offline_access` for a refresh token. */
  scope: string;
  /** The API's resource indicator (RFC 8707), sent with each token request. */
  resource?: string;
  /** Further parameters of the authorization request, such as the `audience` of Auth0. */
  signInParameters?: Readonly<Record<string, string>>;
  /** Sign-out endpoint of a provider whose discovery document has none. */
  signOutUrl?: string;
  /** Further parameters of the sign-out request, such as the `returnTo` of Auth0. */
  signOutParameters?: Readonly<Record<string, string>>;
  /** Origin of the API, if it is not the dashboard's own. */
  apiOrigin?: string;
};
