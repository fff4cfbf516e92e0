import { describe, expect, it } from 'vitest';
import { type PresetJob, presetJobSchema } from '../../../core/api/job-request.ts';
import { parsePreset } from '../../../core/presets/resolve/preset-request.ts';
import { aCreateJobRoute, type Body } from '../../builders/http/create-job-route.ts';
import { start } from '../../builders/jobs/jobs.ts';

const input = { url: 'https://media.example/in.mp4' };
const small = { recipe: { name: 'compress' }, format: 'mp4' };
const poster = { recipe: { name: 'watermark', image: 'https://media.example/logo.png' }, format: 'mp4' };
const outputs = { mode: 'outputs', outputs: { small, poster }, metadata: { team: 'web' } };

async function aRouteWith(
  versions: { version: number; draft?: boolean; retired?: boolean }[],
  request: object = outputs,
) {
  const route = aCreateJobRoute();
  const allow = [
    'outputs.small.recipe.maxWidth',
    'outputs.small.recipe.targetVmaf',
    'outputs.small.recipe.targetSizeMb',
    'outputs.poster',
    'keepDays',
  ];
  const mode = (request as typeof outputs).mode === 'outputs';
  const parsed = parsePreset(
    { request: request as Record<string, unknown>, allow: mode ? allow : ['recipe.encryption.key'] },
    'owner',
  );
  if (parsed.problems !== undefined) throw new Error(JSON.stringify(parsed.problems));
  for (const { version, draft = false, retired = false } of versions) {
    await route.presets.create('owner-1', {
      ...{ id: `id-${version}`, name: 'course', version, draft, retired, title: 'Course', description: '' },
      ...{
        allow: mode ? allow : ['recipe.encryption.key'],
        request: parsed.request,
        source: 'owner',
        createdAt: start.toISOString(),
      },
    });
  }
  const post = (job: Partial<PresetJob> = {}, key?: string) => {
    const body = presetJobSchema.parse({ mode: 'preset', preset: 'course', input, ...job });
    return route.post({ recipe: undefined, output: undefined, ...body } as unknown as Partial<Body>, key);
  };
  return { ...route, post };
}

const three = [{ version: 1 }, { version: 2 }, { version: 3, draft: true }, { version: 4, retired: true }];

describe('a job of a preset', () => {
  it('keeps the value of the preset where a parameter is null, unless null is a value', async () => {
    const { post } = await aRouteWith([{ version: 1 }], { ...outputs, keepDays: 7, webhookUrl: null });
    const parameters = { 'outputs.small.recipe.maxWidth': null, keepDays: null };
    const { body } = await post({ parameters });
    expect(body).toMatchObject({ request: { keepDays: null, outputs: { small: { recipe: { crf: 28 } } } } });
    expect(body).not.toHaveProperty('request.outputs.small.recipe.maxWidth');
  });

  it.each([
    ['course', 'course@2'],
    ['course@1', 'course@1'],
    ['course@3', 'course@3'],
    ['course@4', 'course@4'],
  ])('named %s is one of %s, with its resolved request', async (preset, version) => {
    const { post, list } = await aRouteWith(three);
    const parameters = { 'outputs.small.recipe.maxWidth': 960, keepDays: 3 };
    const { body } = await post({ preset, parameters, metadata: { lesson: '1' }, maxCostUsd: 2 });
    expect(body).toMatchObject({
      preset: version,
      metadata: { team: 'web', lesson: '1' },
      request: {
        ...{ mode: 'outputs', input, keepDays: 3, maxCostUsd: 2 },
        outputs: { small: { recipe: { name: 'compress', crf: 28, maxWidth: 960 } } },
      },
    });
    const [job] = await list();
    expect(job?.preset).toBe(version);
  });

  it.each(['course@9', 'other', 'Course!', 'course@0', 'course@'])('of the unknown %s is rejected', async (preset) => {
    const { post, list } = await aRouteWith(three);
    const details = [{ path: 'preset', message: expect.any(String) }];
    await expect(post({ preset })).rejects.toMatchObject({ code: 'PRESET_NOT_FOUND', details });
    expect(await list()).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string?]>([
    ['outputs.small.recipe.crf', { 'outputs.small.recipe.crf': 20 }],
    ['outputs.small.recipe.maxWidth.x', { 'outputs.small.recipe.maxWidth.x': 1 }],
    ['outputs.small.recipe.maxWidth', { 'outputs.small.recipe.maxWidth': 'wide' }],
    ['outputs.small.recipe.maxWidth', { 'outputs.small.recipe.maxWidth': 3 }],
    [
      'outputs.small.recipe.targetSizeMb',
      { 'outputs.small.recipe.targetVmaf': 93, 'outputs.small.recipe.targetSizeMb': 3 },
    ],
    ['outputs.poster.recipe.image', { 'outputs.poster.recipe.image': 4 }],
    ['outputs.poster.__proto__.x', { 'outputs.poster.__proto__.x': 4 }],
    ['outputs.poster.recipe.colour', { 'outputs.poster.recipe.colour': 'mauve' }],
    ['outputs.poster.storageProviderId', { 'outputs.poster.storageProviderId': 'gone' }],
    ['keepDays', { keepDays: 0 }],
  ])('is rejected at the parameter %s', async (path, parameters) => {
    const { post } = await aRouteWith(three);
    const details = expect.arrayContaining([expect.objectContaining({ path: `parameters.${path}` })]);
    await expect(post({ parameters })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
  });

  it('is rejected at its own fields, and at the parameter with a forbidden URL', async () => {
    const { post } = await aRouteWith(three);
    const bad = { url: 'ftp://media.example/in.mp4' };
    const invalid = (path: string) => ({ code: 'INVALID_URL', details: [expect.objectContaining({ path })] });
    await expect(post({ input: bad })).rejects.toMatchObject(invalid('input.url'));
    await expect(post({ parameters: { 'outputs.poster.recipe.image': bad.url } })).rejects.toMatchObject(
      invalid('parameters.outputs.poster.recipe.image'),
    );
  });

  it('is replayed as the version of its first request', async () => {
    const { post, list, presets } = await aRouteWith(three);
    await post({}, 'key');
    await presets.change('owner-1', { name: 'course', version: 3 }, { draft: false });
    expect((await post({}, 'key')).body).toMatchObject({ preset: 'course@2' });
    expect((await post()).body).toMatchObject({ preset: 'course@3' });
    expect(await list()).toHaveLength(2);
  });

  it('sends the content key of its stream as a parameter', async () => {
    const encryption = { scheme: 'aes-128', keyUri: 'https://keys.example/film' };
    const request = { mode: 'recipe', output: { format: 'm3u8' }, recipe: { name: 'hls', encryption } };
    const { post } = await aRouteWith([{ version: 1 }], request);
    const key = '00112233445566778899aabbccddeeff';
    const { body } = await post({ parameters: { 'recipe.encryption.key': key } });
    expect(JSON.stringify(body)).not.toContain(key);
    const details = [expect.objectContaining({ path: 'preset' })];
    await expect(post()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
  });
});
