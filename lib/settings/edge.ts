import { integerBetween } from '@media-jobs/video/values';
import * as z from 'zod';
import type { DomainSettings } from './domain.ts';
import type { IdentityProvider } from './identity.ts';
import type { PlaybackSettings } from './playback.ts';
import { needsGlobalBudget } from './regions.ts';

const wafLimit = z
  .int('must be a whole number')
  .min(10, 'must be at least 10')
  .max(2_000_000_000, 'must be at most 2000000000')
  .optional();

/** The CloudFront distribution in front of the API: one origin for the API and the dashboard. */
export const edgeSchema = z.strictObject({
  accessLogs: z
    .boolean('must be true or false')
    .default(true)
    .describe(
      'Whether CloudFront logs requests. Paths and query strings are logged and contain signatures of files; see Logs.',
    ),
  requestsPerAddress: wafLimit.describe(
    'Requests that one IP address may send within five minutes, enforced by AWS WAF; unset: no such rule.',
  ),
  requestsPerCredential: wafLimit.describe(
    'Requests with one API key or session that are accepted within five minutes, enforced by AWS WAF; unset: no such rule.',
  ),
  originSecret: integerBetween(1, 1_000_000).default(1).meta({
    description:
      'Number of the secret that CloudFront sends to the API of a stage with a firewall, which rejects requests without it. Deploy with the next number to rotate it; change it by one only.',
  }),
});

export type EdgeSettings = z.output<typeof edgeSchema>;

/** What decides which stacks and addresses a stage has. */
type EdgeNeeds = {
  edge: EdgeSettings;
  playback: Pick<PlaybackSettings, 'edge'>;
  domain?: DomainSettings | undefined;
  identityProvider?: IdentityProvider | undefined;
  region?: string | undefined;
  budgetUsdPerMonth?: number | undefined;
};

/**
 * True if the stage needs CloudFront: for a dashboard, a firewall or viewers. Without one it is left out, because AWS rejects
 * CloudFront resources in an account that it has not verified.
 */
export function needsDistribution({ edge, playback, identityProvider }: EdgeNeeds): boolean {
  return playback.edge || identityProvider?.dashboardClient !== undefined || hasFirewall(edge);
}

/**
 * True if the stage needs the stack in us-east-1: CloudFront accepts certificates and firewalls from there only, and some
 * regions have no budgets.
 */
export function needsEdgeStack(settings: EdgeNeeds): boolean {
  const hasCertificate = settings.domain !== undefined && needsDistribution(settings);
  return hasCertificate || hasFirewall(settings.edge) || needsGlobalBudget(settings);
}

/** Whether the stage has a firewall, which has a fixed monthly cost. */
export function hasFirewall({
  requestsPerAddress,
  requestsPerCredential,
}: Pick<EdgeSettings, 'requestsPerAddress' | 'requestsPerCredential'>): boolean {
  return requestsPerAddress !== undefined || requestsPerCredential !== undefined;
}
