import type { Settings } from './settings/settings.ts';

/**
 * The origins whose pages may upload to the media bucket and play from it. The dashboard of a stage without a domain
 * stands under a name that CloudFront gives it only after the bucket was made; the signature of a URL is what opens a
 * file, so that the names of others do no harm.
 */
export function pageOrigins({ dashboardOrigin, edge, identityProvider }: Settings): string[] {
  if (dashboardOrigin === undefined) return ['*'];
  const hasDashboard = edge.enabled && identityProvider?.dashboardClient !== undefined;
  if (!hasDashboard || edge.domain !== undefined) return [dashboardOrigin];
  return [dashboardOrigin, 'https://*.cloudfront.net'];
}
