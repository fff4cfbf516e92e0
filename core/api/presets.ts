import * as z from 'zod';
import { presetNameSchema, presetSchema, presetTexts, presetVersionSchema } from '../presets/preset.ts';
import { contract } from './contract.ts';
import { idempotencyHeaders, replayedHeader } from './job-fields.ts';

const common = { function: 'submission', tag: 'Presets', callers: ['key', 'session'] } as const;
const path = '/api/v1/presets';
export const presetNotFoundMessage = 'There is no such preset.';

const presetResourceSchema = presetSchema
  .extend({
    draft: z.boolean().describe('true: only jobs that name the version get it.'),
    retired: z.boolean().describe('true: only jobs that name the version get it. It is not for new use.'),
    request: z
      .record(z.string(), z.unknown())
      .describe('A job without its source, with every default of the day on which the version was made.'),
    allow: presetTexts.allow.describe(
      'Paths in `request` that jobs may set by `parameters`, with everything below them.',
    ),
    source: z.enum(['stage', 'owner']).describe('`stage`: deployed from a file, and read-only here.'),
  })
  .meta({ id: 'Preset' });

const newPresetSchema = z
  .strictObject({
    name: presetNameSchema,
    version: presetVersionSchema.optional().describe('Default: the next one.'),
    draft: z.boolean().default(false),
    title: presetTexts.title.optional().describe('Default: the name.'),
    description: presetTexts.description.default(''),
    request: z
      .looseObject({ mode: z.enum(['recipe', 'pipeline', 'outputs']) })
      .describe('A job without `input`, `webhookUrl` and content keys. Defaults are stored with it.'),
    allow: presetTexts.allow.default([]),
  })
  .meta({ id: 'NewPreset' });

export type NewPreset = z.output<typeof newPresetSchema>;

const newPresetExample = {
  name: 'course',
  title: 'Course video',
  request: { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress', maxWidth: 1280 } },
  allow: ['recipe.maxWidth'],
};

const presetExample = {
  ...newPresetExample,
  version: 2,
  draft: false,
  retired: false,
  description: '',
  request: {
    ...newPresetExample.request,
    recipe: { name: 'compress', crf: 28, preset: 'medium', maxWidth: 1280, audioBitrate: 128 },
  },
  source: 'owner' as const,
  createdAt: '2026-11-21T09:23:31.050Z',
};

const preset = { description: 'The version.', schema: presetResourceSchema, example: presetExample };

const nameSchema = z.string().regex(/^[a-z0-9-]{1,40}(@[1-9]\d{0,5})?$/, presetNotFoundMessage);

export const listPresetsContract = contract({
  ...common,
  id: 'listPresets',
  method: 'GET',
  path,
  summary: 'List the presets',
  scope: 'jobs:read',
  query: z.strictObject({
    all: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true`: every version. Default: the newest version of each preset, drafts included.'),
  }),
  responses: {
    200: {
      description: 'The presets of the stage and your own, by name, the newest version of each first.',
      schema: z.object({ presets: z.array(presetResourceSchema) }),
      example: { presets: [presetExample] },
    },
  },
  uses: ['table.query', 'presets.read'],
});

export const getPresetContract = contract({
  ...common,
  id: 'getPreset',
  method: 'GET',
  path: `${path}/{name}`,
  summary: 'Read a preset',
  scope: 'jobs:read',
  params: z.object({
    name: nameSchema.describe('`name@version`, or `name` for the version that jobs of that name get, else the newest.'),
  }),
  responses: { 200: preset },
  uses: ['table.query', 'presets.read'],
});

export const createPresetContract = contract({
  ...common,
  id: 'createPreset',
  method: 'POST',
  path,
  summary: 'Store a version of a preset',
  description:
    'A version never changes, but for `draft` and `retired`. An owner has at most 200 versions; presets in the files of the stage have no limit.',
  scope: 'presets',
  headers: idempotencyHeaders,
  body: newPresetSchema,
  bodyExample: newPresetExample,
  responses: { 201: { ...preset, headers: { Location: 'The path of the version.', ...replayedHeader } } },
  errors: ['PRESET_EXISTS', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: ['table.get', 'table.query', 'table.put', 'presets.read'],
  audit: { made: 'name' },
});

export const updatePresetContract = contract({
  ...common,
  id: 'updatePreset',
  method: 'PATCH',
  path: `${path}/{name}/{version}`,
  summary: 'Publish or retire a version of a preset',
  scope: 'presets',
  params: z.object({
    name: z.string().regex(/^[a-z0-9-]{1,40}$/, presetNotFoundMessage),
    version: z.string().regex(/^[1-9]\d{0,5}$/, presetNotFoundMessage),
  }),
  body: z.strictObject({ draft: z.boolean().optional(), retired: z.boolean().optional() }).meta({ id: 'PresetUpdate' }),
  bodyExample: { draft: false },
  responses: { 200: preset },
  errors: ['PRESET_OF_STAGE'],
  uses: ['table.query', 'table.update', 'presets.read'],
  audit: {},
});
