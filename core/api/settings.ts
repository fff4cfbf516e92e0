import { maxUrlCharacters } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';
import { storageProviderIdSchema } from './field-schemas.ts';

const common = { function: 'settings', tag: 'Settings', callers: ['key', 'session'], scope: 'settings' } as const;
const path = '/api/v1/settings';
const url = z
  .string({ error: ({ input }) => (input === null ? 'Must be a string; found null, which PUT takes' : undefined) })
  .min(1)
  .max(maxUrlCharacters);

const settingsSchema = z
  .object({
    defaultWebhookUrl: z
      .string()
      .nullable()
      .describe('Receives the webhooks of jobs without a `webhookUrl`; null for none.'),
    defaultStorageProviderId: z
      .string()
      .nullable()
      .describe('Receives the files of jobs that name no storage provider. null when none is set.'),
    updatedAt: timestampSchema.describe(
      "When a setting was last changed; if none ever was, when the owner's first record was made.",
    ),
  })
  .meta({ id: 'Settings' });

const currentSettings = {
  description: 'The current settings.',
  schema: settingsSchema,
  example: {
    defaultWebhookUrl: 'https://example.com/hooks/media',
    defaultStorageProviderId: null,
    updatedAt: '2026-11-21T09:12:44.107Z',
  },
};

/** A change of at least one setting. A setting that is left out stays. */
function changeSchema<Url extends z.ZodType>(defaultWebhookUrl: Url) {
  return z
    .strictObject({
      defaultWebhookUrl: defaultWebhookUrl.optional(),
      defaultStorageProviderId: storageProviderIdSchema
        .nullable()
        .optional()
        .describe('The `id` of a storage provider. null: the bucket of the stage.'),
    })
    .refine((change) => Object.values(change).some((value) => value !== undefined), {
      path: ['defaultWebhookUrl'],
      error: 'Required, unless another setting is given',
    });
}

export const getSettingsContract = contract({
  ...common,
  id: 'getSettings',
  method: 'GET',
  path,
  summary: 'Read the settings',
  responses: { 200: currentSettings },
  uses: ['table.get', 'table.query', 'table.update', 'keys.query'],
});

export const setSettingsContract = contract({
  ...common,
  id: 'setSettings',
  method: 'POST',
  path,
  summary: 'Set the default webhook URL and storage provider',
  body: changeSchema(url),
  nullsAreValues: true,
  bodyExample: { defaultWebhookUrl: 'https://example.com/hooks/media' },
  responses: { 200: currentSettings },
  errors: ['INVALID_URL'],
  uses: ['table.get', 'table.update', 'buckets.describe'],
  audit: {},
});

export const updateSettingsContract = contract({
  ...common,
  id: 'updateSettings',
  method: 'PUT',
  path,
  summary: 'Set or clear the default webhook URL and storage provider',
  body: changeSchema(url.nullable().describe('null clears the default.')),
  bodyExample: { defaultWebhookUrl: null },
  responses: { 200: { ...currentSettings, example: { ...currentSettings.example, defaultWebhookUrl: null } } },
  errors: ['INVALID_URL'],
  uses: ['table.get', 'table.update', 'buckets.describe'],
  audit: {},
});
