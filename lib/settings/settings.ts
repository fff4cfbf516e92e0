import * as z from 'zod';
import { integerBetween } from '../../core/integer-between.ts';
import { inputLimitsSchema } from '../../core/media/probe/input-limits.ts';
import { parseReachableAddresses } from '../../core/net/reachable-address.ts';
import { originSetting } from '../origin-setting.ts';
import { recoverySchema } from '../recovery-settings.ts';
import { edgeSchema, needsEdgeStack } from './edge.ts';
import { identityProviderSchema, speaksHttps } from './identity.ts';
import { parallelSchema, transcoderSchema } from './workers.ts';

const webhooks = z.strictObject({
  delaysMs: z
    // Reconcile takes up a delivery that was quiet for a minute, of which an attempt itself may take 10 s.
    .array(integerBetween(0, 30_000))
    .min(1, 'must hold at least one delay: one per attempt')
    .max(10, 'must hold at most 10 delays')
    .refine((delays) => delays[0] === 0, 'must begin with 0: the first attempt is made at once')
    .default([0, 500, 1000])
    .meta({ description: 'The wait before each delivery attempt, from the end of the attempt before.' }),
  schemes: z
    .array(z.enum(['https', 'http'], 'must be https or http'))
    .min(1, 'must name at least one scheme')
    .default(['https'])
    .meta({ description: 'URL schemes that a webhook may have; http on the local stage only.' }),
});

const throttling = z.strictObject({
  requestsPerSecond: integerBetween(1, 10_000).default(50).meta({
    description: 'Steady rate of API requests, over all callers.',
  }),
  burst: integerBetween(1, 5000).default(100).meta({ description: 'Requests that may come at once.' }),
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

/** Everything an operator may set, for one stage; the values come from cdk.json, context `stages.<name>`. */
export const settingsSchema = z
  .strictObject({
    stage: stageName.meta({ description: 'Name of the stage; it begins the name of every resource.' }),
    account: z
      .string()
      .regex(/^\d{12}$/, 'must be an account id of 12 digits')
      .optional()
      .meta({
        description: 'Account to deploy into; else the one whose credentials are in use.',
      }),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-central-1')
      // There S3 answers at amazonaws.com.cn, which signed URLs and the dashboard's policy do not know.
      .refine(
        (region) => !region.startsWith('cn-'),
        'must be outside of China, where AWS has other addresses',
      )
      .optional()
      .meta({
        description: 'Region to deploy into; else the one in use.',
      }),
    architecture: z.enum(['arm64', 'x86_64'], 'must be arm64 or x86_64').default('arm64').meta({
      description: 'Processor of every function.',
    }),
    dashboardOrigin: originSetting.optional().meta({
      description:
        'The only other origin whose pages may call the API, beside the dashboard that the stage serves; unset, any may.',
    }),
    edge: edgeSchema.prefault({}),
    identityProvider: identityProviderSchema.optional(),
    transcoder: transcoderSchema.prefault({}),
    parallel: parallelSchema.prefault({}),
    inputLimits: inputLimitsSchema.prefault({}),
    maxQueuedHours: integerBetween(1, 72).default(24).meta({
      description: 'A job still queued after this many hours fails with TIMEOUT.',
    }),
    signedUrlSeconds: integerBetween(60, 3600).default(3600).meta({
      description: "Life of a signed URL; an hour at most, since it dies with its signer's credentials.",
    }),
    outputRetentionDays: integerBetween(1, 3650).default(30).meta({
      description: 'Days that the files of a job are kept.',
    }),
    logRetentionDays: z
      .literal(
        [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365],
        'must be a retention that CloudWatch knows, such as 14, 30 or 90',
      )
      .default(30)
      .meta({ description: 'Days that logs are kept.' }),
    recovery: recoverySchema.prefault({}),
    throttling: throttling.prefault({}),
    alarmEmail: z.email('must be an e-mail address').optional().meta({
      description: 'Who is told of alarms; the address must confirm it once. Unset, alarms are only shown.',
    }),
    webhooks: webhooks.prefault({}),
    reachablePrivateAddresses: z.array(privateAddress).default([]).meta({
      description:
        'Private host:port pairs that inputs and webhooks may reach; empty on every deployed stage.',
    }),
  })
  .refine(({ stage, webhooks }) => stage === 'local' || !webhooks.schemes.includes('http'), {
    path: ['webhooks', 'schemes'],
    message: 'must be https alone: only the stage "local" may send webhooks over http',
  })
  .refine(
    ({ edge, account, region }) => !needsEdgeStack(edge) || (account !== undefined && region !== undefined),
    {
      path: ['edge'],
      message:
        'must come with account and region: certificates and firewalls lie in us-east-1, apart from the rest',
    },
  )
  .refine(
    ({ edge, dashboardOrigin }) =>
      edge.domain === undefined ||
      dashboardOrigin === undefined ||
      dashboardOrigin === `https://${edge.domain.name}`,
    {
      path: ['dashboardOrigin'],
      message: 'must be https:// and edge.domain.name, where the dashboard is served',
    },
  )
  .refine(
    ({ stage, identityProvider }) =>
      stage === 'local' || identityProvider === undefined || speaksHttps(identityProvider),
    {
      path: ['identityProvider'],
      message: 'must be reached by https: only the stage "local" may have a provider on http',
    },
  )
  .refine(
    ({ stage, reachablePrivateAddresses }) => stage === 'local' || reachablePrivateAddresses.length === 0,
    {
      path: ['reachablePrivateAddresses'],
      message: 'must be empty: only the stage "local" may reach private addresses',
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
