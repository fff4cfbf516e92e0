import { contentSecurityPolicy } from '../core/access/content-security-policy.ts';
import { type PageHandler, servePages } from './http/pages.ts';
import { dashboardClient } from './identity/demo-user.ts';
import type { IdentityProvider } from './identity/server.ts';

export type DashboardOptions = {
  /** Of the built dashboard. */
  directory: string;
  identity: IdentityProvider;
  /** Where the buckets answer. */
  s3Endpoint: string;
};

/** The dashboard of this stage: its pages, told where to sign in. */
export function localDashboard({ directory, identity, s3Endpoint }: DashboardOptions): Promise<PageHandler> {
  const { issuer, audience, origin } = identity;
  return servePages({
    directory,
    config: {
      issuer,
      metadataUrl: `${origin}/.well-known/openid-configuration`,
      clientId: dashboardClient.id,
      scope: dashboardClient.scope,
      resource: audience,
    },
    contentSecurityPolicy: contentSecurityPolicy({
      identity: [origin],
      media: new URL(s3Endpoint).origin,
      inputSchemes: ['https:', 'http:'],
    }),
  });
}
