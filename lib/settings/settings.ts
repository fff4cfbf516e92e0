import * as z from 'zod';
import { tenancies } from '../../core/access/owner.ts';
import { ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { integerBetween } from '../../core/integer-between.ts';
import { inputLimitsSchema } from '../../core/media/probe/input-limits.ts';
import { parseReachableAddresses } from '../../core/net/reachable-address.ts';
import { budgetSchema } from './budget.ts';
import { edgeSchema, needsDistribution, needsEdgeStack } from './edge.ts';
import { fargateSchema } from './fargate.ts';
import { identityProviderSchema, originSetting, usesHttps } from './identity.ts';
import { webhooksSchema } from './webhooks.ts';
import { parallelSchema, transcoderSchema } from './workers.ts';

const throttling = z.strictObject({
  requestsPerSecond: integerBetween(1, 10_000).default(50).meta({
    description: 'Sustained rate of API requests over all callers.',
  }),
  publicRequestsPerSecond: integerBetween(1, 2_500).default(100).meta({
    description:
      'Sustained rate of unknown paths, and of each route that needs no credential, such as that of files. A viewer of a stream sends one request in three seconds. A burst may be twice the rate.',
  }),
  burst: integerBetween(1, 5000).default(100).meta({ description: 'Concurrent API requests in a burst.' }),
});

/** Restoring lost records and files. See "Restore" in docs/operating.md. */
const recovery = z.strictObject({
  table: z
    .string()
    .regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'must be the name of a table of DynamoDB')
    .optional()
    .meta({
      description: 'Name of a restored table to use; unset: the table of the stack `stateful`.',
    }),
  deletedFileRetentionDays: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(90, 'must be at most 90')
    .optional()
    .meta({
      description: 'Days that deleted files can be restored; unset: deletion is final.',
    }),
});

const stageName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,11}$/, 'must be 1 to 12 lower-case letters, digits or hyphens, a letter first');

const privateAddress = z
  .string()
  .refine(
    isReachableAddress,
    'must be host:port, where host is an IP address (IPv6 in brackets) or localhost, and port a number or *',
  );

/** Where CloudFormation rejects a template with a budget (aws-cloudformation/cloudformation-coverage-roadmap#2177). */
const regionsWithoutBudgets: ReadonlySet<string> = new Set(['eu-central-2']);

/** All settings of one stage. The values come from cdk.json, context `stages.<name>`. */
export const settingsSchema = z
  .strictObject({
    stage: stageName.meta({ description: 'Name of the stage; every resource name starts with it.' }),
    account: z
      .string()
      .regex(/^\d{12}$/, 'must be an account id of 12 digits')
      .optional()
      .meta({
        description: 'Account to deploy into; unset: the account of the current credentials.',
      }),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-central-1')
      // S3 in China uses amazonaws.com.cn, which signed URLs and the dashboard's policy do not support.
      .refine(
        (region) => !region.startsWith('cn-'),
        'must not be a region in China: AWS uses other host names there',
      )
      .optional()
      .meta({
        description: 'Region to deploy into; unset: the region that CDK resolves.',
      }),
    architecture: z.enum(['arm64', 'x86_64'], 'must be arm64 or x86_64').default('x86_64').meta({
      description:
        'CPU architecture of every function. Measured on x86_64 only; of arm64, ffmpeg was tested under emulation.',
    }),
    dashboardOrigin: originSetting.optional().meta({
      description:
        "The only origin besides the stage's own dashboard whose pages may call the API; unset: any origin.",
    }),
    edge: edgeSchema.prefault({}),
    identityProvider: identityProviderSchema.optional(),
    accountConcurrency: integerBetween(10, 100_000).default(10).meta({
      description:
        'Concurrent executions that Lambda grants the account; a new account has 10. First webhook attempts get a tenth of it, at least 2. If it exceeds by 100 what the workers and these attempts need, the workers get reserved concurrency.',
    }),
    transcoder: transcoderSchema.prefault({}),
    parallel: parallelSchema.prefault({}),
    fargate: fargateSchema.optional(),
    inputLimits: inputLimitsSchema.prefault({}),
    tenancy: z.enum(tenancies, 'must be single or multi').default('single').meta({
      description:
        '`single`: all keys and sessions belong to one team, which shares its jobs and has no limits. `multi`: owners are isolated from each other, with `ownerLimits` and fairness.',
    }),
    ownerLimits: ownerLimitsSchema.optional(),
    maxQueuedHours: integerBetween(1, 72).default(24).meta({
      description: 'Hours after which a job that is still queued fails with TIMEOUT.',
    }),
    signedUrlSeconds: integerBetween(60, 604_800).default(3600).meta({
      description:
        'Lifetime of the URL of a file. That of an upload is at most an hour, since it ends with the credentials that sign it.',
    }),
    streamUrlSeconds: integerBetween(60, 604_800).default(86_400).meta({
      description:
        'Lifetime of the URL of a stream or a sprite, which opens all of its files: the longest playback, including pauses.',
    }),
    outputRetentionDays: integerBetween(1, 3650).default(30).meta({
      description:
        'Retention of job files in days. A lower value also applies to the files of earlier jobs, which are then removed before their `filesExpireAt`.',
    }),
    logRetentionDays: z
      .literal(
        [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365],
        'must be a retention that CloudWatch supports, such as 14, 30 or 90',
      )
      .default(30)
      .meta({ description: 'Retention of logs in days.' }),
    recovery: recovery.prefault({}),
    throttling: throttling.prefault({}),
    alarmEmail: z.email('must be an e-mail address').optional().meta({
      description:
        'E-mail address that receives alarms; it must confirm the subscription once. Unset: alarms are only shown.',
    }),
    budget: budgetSchema.optional(),
    webhooks: webhooksSchema.prefault({}),
    reachablePrivateAddresses: z.array(privateAddress).default([]).meta({
      description:
        'Private host:port pairs that inputs and webhooks may connect to; empty on every deployed stage.',
    }),
  })
  .refine(({ stage, webhooks }) => stage === 'local' || !webhooks.schemes.includes('http'), {
    path: ['webhooks', 'schemes'],
    message: 'must be https only: only the stage "local" may send webhooks over http',
  })
  .refine(
    ({ edge, account, region }) => !needsEdgeStack(edge) || (account !== undefined && region !== undefined),
    {
      path: ['edge'],
      message:
        'must be set together with account and region: certificates and firewalls are in us-east-1, apart from the rest',
    },
  )
  .refine(({ budget, region = '' }) => budget === undefined || !regionsWithoutBudgets.has(region), {
    path: ['budget'],
    message:
      'must be unset in this region, where CloudFormation has no AWS::Budgets::Budget: create the budget in the Billing console',
  })
  .refine((settings) => !settings.region?.startsWith('us-gov-') || !needsDistribution(settings), {
    path: ['region'],
    message: 'must not be in GovCloud, which has no CloudFront for a dashboard, a domain or a firewall',
  })
  .refine(
    ({ edge, dashboardOrigin }) =>
      edge.domain === undefined ||
      dashboardOrigin === undefined ||
      dashboardOrigin === `https://${edge.domain.name}`,
    {
      path: ['dashboardOrigin'],
      message: 'must be https:// followed by edge.domain.name, where the dashboard is served',
    },
  )
  .refine(
    ({ stage, identityProvider }) =>
      stage === 'local' || identityProvider === undefined || usesHttps(identityProvider),
    {
      path: ['identityProvider'],
      message: 'must use https: only the stage "local" may use a provider on http',
    },
  )
  .refine(({ tenancy, ownerLimits }) => tenancy === 'multi' || ownerLimits === undefined, {
    path: ['ownerLimits'],
    message: 'must be unset: a stage whose tenancy is single has no limits of owners',
  })
  .refine(
    ({ tenancy, identityProvider: { organisationClaim, organisation } = {} }) =>
      (organisation !== undefined) === (tenancy === 'single' && organisationClaim !== undefined),
    {
      path: ['identityProvider', 'organisation'],
      message:
        'must be set with organisationClaim on a stage whose tenancy is single, and only there: its value is what the claim must be',
    },
  )
  .refine(
    ({ stage, reachablePrivateAddresses }) => stage === 'local' || reachablePrivateAddresses.length === 0,
    {
      path: ['reachablePrivateAddresses'],
      message: 'must be empty: only the stage "local" may connect to private addresses',
    },
  );

export type Settings = z.output<typeof settingsSchema>;

function isReachableAddress(text: string): boolean {
  try {
    return !text.includes(',') && parseReachableAddresses(text).length > 0;
  } catch {
    return false;
  }
}
