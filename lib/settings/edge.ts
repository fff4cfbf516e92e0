import { integerBetween } from '@media-jobs/video/values';
import * as z from 'zod';
import type { IdentityProvider } from './identity.ts';

const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

const domain = z
  .strictObject({
    name: z
      .string()
      .regex(hostName, 'must be a host name in lower case, such as media.example.com')
      .meta({ description: 'Host name of the dashboard and the API.' }),
    hostedZone: z
      .strictObject({
        id: z
          .string()
          .regex(/^Z[A-Z0-9]+$/, 'must be the id of a hosted zone, such as Z0123456789ABC')
          .meta({ description: 'Id of the zone.' }),
        name: z
          .string()
          .regex(hostName, 'must be the name of the zone, such as example.com')
          .meta({ description: 'Name of the zone.' }),
      })
      .optional()
      .meta({
        description:
          'The Route 53 zone for its DNS records; unset: you create them, and the first deployment waits for it.',
      }),
  })
  .refine(({ name, hostedZone }) => hostedZone === undefined || isIn(name, hostedZone.name), {
    path: ['hostedZone', 'name'],
    message: 'must be the zone that contains edge.domain.name',
  })
  .meta({ description: 'Custom host name; unset: the host name of CloudFront.' });

/** The CloudFront distribution in front of the API: one origin for the API and the dashboard. */
export const edgeSchema = z.strictObject({
  domain: domain.optional(),
  accessLogs: z.boolean('must be true or false').default(true).meta({
    description:
      'Whether CloudFront logs requests. Query strings are logged and contain signatures of files; see Logs.',
  }),
  requestsPerAddress: z
    .int('must be a whole number')
    .min(10, 'must be at least 10')
    .max(2_000_000_000, 'must be at most 2000000000')
    .optional()
    .meta({
      description:
        'Requests that one IP address may send within five minutes, enforced by AWS WAF; unset: no such rule.',
    }),
  requestsPerCredential: z
    .int('must be a whole number')
    .min(10, 'must be at least 10')
    .max(2_000_000_000, 'must be at most 2000000000')
    .optional()
    .meta({
      description:
        'Requests with one API key or session that are accepted within five minutes, enforced by AWS WAF; unset: no such rule.',
    }),
  originSecret: integerBetween(1, 1_000_000).default(1).meta({
    description:
      'Number of the secret that CloudFront sends to the API, which rejects requests without it. Deploy with the next number to rotate it; change it by one only.',
  }),
});

export type EdgeSettings = z.output<typeof edgeSchema>;

/**
 * True if the stage needs CloudFront: for a dashboard, a custom domain or a firewall. Without one it is left out,
 * because AWS rejects CloudFront resources in an account that it has not verified.
 */
export function needsDistribution({
  edge,
  identityProvider,
}: {
  edge: EdgeSettings;
  identityProvider?: IdentityProvider | undefined;
}): boolean {
  return identityProvider?.dashboardClient !== undefined || needsEdgeStack(edge);
}

type FirewallSettings = {
  requestsPerAddress?: number | undefined;
  requestsPerCredential?: number | undefined;
};

/** True if the stage needs the stack in us-east-1: CloudFront accepts certificates and firewalls from there only. */
export function needsEdgeStack({ domain, ...settings }: FirewallSettings & { domain?: object | undefined }): boolean {
  return domain !== undefined || hasFirewall(settings);
}

/** Whether the stage has a firewall, which has a fixed monthly cost. */
export function hasFirewall({ requestsPerAddress, requestsPerCredential }: FirewallSettings): boolean {
  return requestsPerAddress !== undefined || requestsPerCredential !== undefined;
}

function isIn(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
