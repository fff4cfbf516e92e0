import { speeds } from '@media-jobs/video/encoding';
import { findRecipe, formatSchema, maxUrlCharacters, recipeRequestSchema } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { defaultPriority, maxKeepDays, maxPriority } from '../jobs/request-limits.ts';
import { defaultKeyTemplate, keyTemplateSchema, objectKeySchema } from '../storage/object-key.ts';
import { objectOptions } from '../storage/object-options.ts';
import { requestTimestampSchema } from '../timestamp.ts';
import { storageProviderIdSchema } from './field-schemas.ts';
import { metadataSchema } from './job-fields.ts';

const url = z.string().min(1).max(maxUrlCharacters);

const urlInput = z.strictObject({
  url: url.describe(
    'URL of the source media: http, https, the `inputUrl` of an upload, or `s3://bucket/key` of a bucket of the stage. It must stay valid until the job has ended.',
  ),
});

const storedInput = z.strictObject({
  storageProviderId: storageProviderIdSchema.describe(
    'In place of `url`: the storage provider of the source, with its `key`.',
  ),
  key: objectKeySchema.describe('Key of the object, below the prefix of the provider.'),
});

/** The source of a job. One object, so that an error names the field. The document has the two forms, so that generated types require one. */
export const inputSchema = z
  .strictObject({ ...urlInput.partial().shape, ...storedInput.partial().shape })
  .superRefine(({ url, storageProviderId, key }, context) => {
    const reject = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (url !== undefined) {
      if (storageProviderId !== undefined) reject('storageProviderId', 'Give either a url or a storageProviderId');
      else if (key !== undefined) reject('key', 'Give a key with a storageProviderId, not with a url');
    } else if (storageProviderId === undefined) {
      if (key === undefined) reject('url', 'Required');
      else reject('storageProviderId', 'Required with a key');
    } else if (key === undefined) {
      reject('key', 'Required with a storageProviderId');
    }
  })
  .meta({ id: 'JobInput', forms: [urlInput.meta({ id: 'UrlInput' }), storedInput.meta({ id: 'StoredInput' })] });

export const recipeSchema = recipeRequestSchema.meta({ id: 'RecipeRequest' });

const keepDaysSchema = z.int().min(1).max(maxKeepDays).nullable().optional();

/** Fields of one result: its container, and where its files go. */
export const resultFields = {
  format: formatSchema.describe('Container of the result. Each recipe lists the formats that it writes.'),
  storageProviderId: storageProviderIdSchema.nullable().optional().meta({
    description:
      'Receives the files. Default: `defaultStorageProviderId` of the settings. null: the bucket of the stage.',
  }),
  key: keyTemplateSchema
    .optional()
    .describe(
      `Template of the keys at the storage provider, below its prefix, of \`{jobId}\`, \`{name}\`, \`{extension}\` and \`{date}\`. Default: \`${defaultKeyTemplate}\`.`,
    ),
  ...objectOptions,
  keepDays: keepDaysSchema.describe('As `keepDays` of the job, which it replaces for this output.'),
};

/** Fields of every mode. */
export const commonFields = {
  keepDays: keepDaysSchema.describe(
    'Days for which the files are kept, from the end of the job. null: until the job is deleted. Default: the retention of the stage. Files at a storage provider stay; only their URLs end.',
  ),
  webhookUrl: url.optional().describe('Receives the webhook of this job instead of the default webhook URL.'),
  metadata: metadataSchema
    .optional()
    .describe('Up to 20 key-value pairs of your own, returned with the job and its webhook.'),
  maxCostUsd: z.number().positive().max(10_000).optional().meta({
    description:
      'Dollars that the job may cost. Before anything is encoded, an estimate (p90) above it rejects the job with `COST_LIMIT`. While it is encoded, the work stops at the limit, or at most one chunk later, and the job fails with `COST_LIMIT`.',
  }),
  priority: z
    .int()
    .min(0)
    .max(maxPriority)
    .optional()
    .meta({
      description: `0 to ${maxPriority}, by default ${defaultPriority}. Of the waiting jobs of one owner those of the highest priority start first, whatever their age. It changes nothing between owners, and stops no running job.`,
    }),
  speed: z
    .enum(speeds)
    .optional()
    .describe(
      '`fast` encodes a video in parallel chunks wherever the result is equivalent. `standard` does so only if a single pass would take long. `economy` may wait and costs at most a third of `standard`: the job runs in the Spot capacity of the setting `fargate.pool`, without which it answers 400. Default: `defaultSpeed` of the key, else that of the stage.',
    ),
  finishBy: requestTimestampSchema
    .optional()
    .describe(
      'Only with `economy`: from 10 minutes to 7 days ahead. If the pool will not end the job by then, it becomes a `standard` one. Default: the job may wait 72 hours, then it fails with `TIMEOUT`.',
    ),
};

/** Narrows the choices in the issue of an unknown format to the formats that its recipe writes. */
export function narrowFormat(issue: z.core.$ZodRawIssue, recipe: string | undefined): void {
  const { formats } = findRecipe(recipe ?? '') ?? {};
  if (issue.code === 'invalid_value' && formats) Object.assign(issue, { values: formats });
}
