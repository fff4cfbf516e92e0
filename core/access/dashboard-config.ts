/** The content of `/app/config.json`, which the dashboard loads first: one build serves every stage. */
export type DashboardConfig = {
  /** Issuer URL of the OpenID Connect provider. */
  issuer: string;
  /** URL of the discovery document, if it is not below the issuer. */
  metadataUrl?: string;
  clientId: string;
  /** Space-separated scopes. Some providers require `offline_access` for a refresh token. */
  scope: string;
  /** The API's resource indicator (RFC 8707), sent with each token request. */
  resource?: string;
  /** Origin of the API, if it is not the dashboard's own. */
  apiOrigin?: string;
};
