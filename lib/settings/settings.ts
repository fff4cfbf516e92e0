import { speeds } from '@media-jobs/video/encoding';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import { integerBetween } from '@media-jobs/video/values';
import * as z from 'zod';
import { tenancies } from '../../core/access/owner.ts';
import { ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { rateLimitSchema } from '../../core/access/rate-limit.ts';
import { bucketsSchema, checkBuckets } from './buckets.ts';
import { capacitySetting } from './capacity.ts';
import { domainSchema } from './domain.ts';
import { edgeSchema, needsDistribution, needsEdgeStack } from './edge.ts';
import { fargateSchema } from './fargate.ts';
import { identityProviderSchema, isOfStage, originSetting, usesHttps } from './identity.ts';
import { ecrImage, imageSetting } from './image.ts';
import { playbackSchema } from './playback.ts';
import { regionSetting } from './regions.ts';
import { checkWatches, watchesSchema } from './watches.ts';
import { webhooksSchema } from './webhooks.ts';
import { transcoderSchema } from './workers.ts';

/** Restoring lost records and files. See docs/restoring.md. */
const recovery = z.strictObject({
  table: z
    .string()
    .regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'must be the name of a table of DynamoDB')
    .optional()
    .describe('Name of a restored table to use; unset: the table of the stack `stateful`.'),
  deletedFileRetentionDays: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(90, 'must be at most 90')
    .optional()
    .describe('Days that deleted files can be restored; unset: deletion is final.'),
});

const stageName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,11}$/, 'must be 1 to 12 lower-case letters, digits or hyphens, a letter first');

/** All settings of one stage. The values come from cdk.json, context `stages.<name>`. */
export const settingsSchema = z
  .strictObject({
    stage: stageName.describe('Name of the stage; every resource name starts with it.'),
    account: z
      .string()
      .regex(/^\d{12}$/, 'must be an account id of 12 digits')
      .optional()
      .describe('Account to deploy into; unset: the account of the current credentials.'),
    region: regionSetting.optional().describe('Region to deploy into; unset: the region that CDK resolves.'),
    architecture: z
      .enum(['arm64', 'x86_64'], 'must be arm64 or x86_64')
      .default('x86_64')
      .describe(
        'CPU architecture of every function. Measured on x86_64 only; for arm64 the image was built and ffmpeg tested under emulation.',
      ),
    dashboardOrigin: originSetting
      .optional()
      .describe("The only origin besides the stage's own dashboard whose pages may call the API; unset: any origin."),
    baseImage: z
      .string()
      .regex(/^[\w./:@-]+$/, 'must be the name of an image')
      .optional()
      .meta({
        description:
          'Image with Node 24 on Debian 13 on which that of the workers is built, such as one of your own registry; unset: the one that the Dockerfile pins.',
      }),
    image: imageSetting.optional(),
    domain: domainSchema.optional(),
    edge: edgeSchema.prefault({}),
    identityProvider: identityProviderSchema.optional(),
    capacity: capacitySetting,
    transcoder: transcoderSchema.prefault({}),
    fargate: fargateSchema.optional(),
    defaultSpeed: z
      .enum(speeds, `must be one of ${speeds.join(', ')}`)
      .default('standard')
      .describe('Speed of jobs whose request and key name none. `economy` needs `fargate.pool`.'),
    inputLimits: inputLimitsSchema.pick({ sizeBytes: true, durationSeconds: true }).prefault({}),
    tenancy: z
      .enum(tenancies, 'must be single or multi')
      .default('single')
      .describe(
        '`single`: all keys and sessions belong to one team, which shares its jobs and has no limits. `multi`: owners are isolated from each other, with `ownerLimits` and fairness.',
      ),
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
      .describe('Retention of logs in days.'),
    recovery: recovery.prefault({}),
    requestsPerSecond: integerBetween(1, 10_000).default(50).meta({
      description:
        'Sustained rate of API requests of all callers. Unknown paths, and each route that needs no credential, such as that of files, have twice the rate; a viewer of a stream sends one request in three seconds. A burst may be twice its rate.',
    }),
    rateLimit: rateLimitSchema.nullable().default({ requestsPerSecond: 20, burst: 100 }).meta({
      description:
        'Rate of each key and each session: sustained requests per second, and at once after a pause. Each function may serve ten more. null: only the rate of all callers is limited.',
    }),
    alarmEmail: z
      .email('must be an e-mail address')
      .optional()
      .describe(
        'E-mail address that receives alarms; it must confirm the subscription once. Unset: alarms are only shown.',
      ),
    budgetUsdPerMonth: z
      .number()
      .min(0.1, 'must be at least 0.1')
      .max(1_000_000, 'must be at most 1000000')
      .optional()
      .meta({
        description:
          'Dollars that the whole AWS account may cost in a month; unset: no budget. AWS Budgets sends messages to `alarmEmail` at 80 % and at 100 %, and when 100 % are forecast. The alarm `job-spending` is raised if the jobs that end within a day cost a tenth of it.',
      }),
    webhooks: webhooksSchema.prefault({}),
    playback: playbackSchema.prefault({}),
    buckets: bucketsSchema,
    watches: watchesSchema,
    presets: z.string().min(1).optional().meta({
      description: 'Folder of the presets of the stage; unset: `presets` beside cdk.json, if there is one.',
    }),
  })
  .superRefine(checkBuckets)
  .superRefine(checkWatches)
  .refine(({ image, region }) => image === undefined || region === undefined || ecrImage(image).region === region, {
    path: ['image'],
    message: 'must be in the region of the stage: Lambda reads images of its own region only',
  })
  .refine(({ defaultSpeed, fargate }) => defaultSpeed !== 'economy' || fargate?.pool !== undefined, {
    path: ['defaultSpeed'],
    message: 'must not be economy without fargate.pool',
  })
  .refine(({ budgetUsdPerMonth, region }) => budgetUsdPerMonth === undefined || !region?.startsWith('us-gov-'), {
    path: ['budgetUsdPerMonth'],
    message: 'must be unset in GovCloud, which has no AWS::Budgets::Budget: create the budget in the Billing console',
  })
  .refine((settings) => !needsEdgeStack(settings) || (settings.account && settings.region), {
    path: ['account'],
    message:
      'must be set, as must region: certificates, firewalls and some budgets are in us-east-1, apart from the rest',
  })
  .refine(({ budgetUsdPerMonth, alarmEmail }) => budgetUsdPerMonth === undefined || alarmEmail !== undefined, {
    path: ['alarmEmail'],
    message: 'must be set with budgetUsdPerMonth: it receives the messages',
  })
  .refine((settings) => !settings.region?.startsWith('us-gov-') || !needsDistribution(settings), {
    path: ['region'],
    message: 'must not be in GovCloud, which has no CloudFront for a dashboard or a firewall',
  })
  .refine(
    ({ domain, dashboardOrigin, identityProvider }) =>
      identityProvider?.dashboardClient === undefined ||
      domain === undefined ||
      dashboardOrigin === undefined ||
      dashboardOrigin === `https://${domain.name}`,
    {
      path: ['dashboardOrigin'],
      message: 'must be https:// followed by domain.name, where the dashboard is served',
    },
  )
  .refine(
    ({ stage, identityProvider }) => stage === 'local' || identityProvider === undefined || usesHttps(identityProvider),
    { path: ['identityProvider'], message: 'must use https: only the stage "local" may use a provider on http' },
  )
  .refine(({ identityProvider, alarmEmail }) => !isOfStage(identityProvider) || alarmEmail !== undefined, {
    path: ['alarmEmail'],
    message: 'must be set with identityProvider "cognito": it receives the invitation of the first user',
  })
  .refine(({ identityProvider, stage }) => !isOfStage(identityProvider) || !/aws|amazon|cognito/.test(stage), {
    path: ['stage'],
    message: 'must not contain aws, amazon or cognito with identityProvider "cognito", which rejects such host names',
  })
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
  );

export type Settings = z.output<typeof settingsSchema>;
