/** What the dashboard reads from `/app/config.json` before anything else, since one build serves every stage. */
export type DashboardConfig = {
  /** Of the OpenID Connect provider; its discovery document is below it. */
  issuer: string;
  /** Where the discovery document is, if not below the issuer. */
  metadataUrl?: string;
  clientId: string;
  /** Space-separated scopes to ask for; some providers want `offline_access` before they give a refresh token. */
  scope: string;
  /** The API as providers with resource indicators (RFC 8707) know it: asked for with each token. */
  resource?: string;
  /** Where the API is, if not at the dashboard's own origin. */
  apiOrigin?: string;
};
