import { planRecipe, type Recipe, recipeRequestSchema, recipes } from '@media-jobs/video/recipes';
import { aProbe, aVideoStream } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import {
  findPresetProblems,
  presetFileSchema,
  presetOfStage,
  type ResolvedPreset,
  resolvePresetFile,
} from '../../../core/presets/resolve/preset-file.ts';
import { resolvePreset } from '../../../core/presets/resolve/resolve-request.ts';

const now = new Date('2026-11-21T09:00:00Z');
const ref = { name: 'course', version: 2 };
const written = (request: object, more: object = {}) => presetFileSchema.parse({ title: 'Course', request, ...more });
const webm = { mode: 'recipe', output: { format: 'webm' }, recipe: { name: 'transcode' } };

function resolved(...[file, earlier]: [ReturnType<typeof written>, ResolvedPreset?]): ResolvedPreset {
  const result = resolvePresetFile(file, { ref, earlier, now });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.resolved;
}

it('a version stores every default, those that follow from others included', () => {
  const { request, defaults } = resolved(written(webm));
  expect(request.recipe).toMatchObject({ name: 'transcode', codec: 'vp9', crf: 30, channels: 'stereo' });
  expect(defaults).toMatchObject({ 'recipe.codec': 'vp9', 'recipe.crf': 30, 'recipe.channels': 'stereo' });
});

it.each([
  ['codec', { codec: undefined }],
  ['bitrate', { crf: undefined }],
])('a default that follows from the parameter %s stays open if jobs may set that', (name, open) => {
  const { request } = resolved(written(webm, { allow: [`recipe.${name}`] }));
  expect(request.recipe).toMatchObject({ name: 'transcode', channels: 'stereo' });
  for (const field of Object.keys(open)) expect(request.recipe).not.toHaveProperty(field);
});

it('one that was written under other defaults gives the same arguments as on its day', () => {
  const file = written({ mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress' } });
  const ofToday = resolved(file);
  const ofThatDay = {
    ...ofToday,
    request: { ...ofToday.request, recipe: { ...(ofToday.request.recipe as object), crf: 24, preset: 'slow' } },
    defaults: { ...ofToday.defaults, 'recipe.crf': 24, 'recipe.preset': 'slow' },
  };
  expect(findPresetProblems(file, ofThatDay)).toEqual([]);
  const kept = resolved({ ...file, title: 'Another title' }, ofThatDay);
  expect(kept).toEqual({ ...ofThatDay, title: 'Another title' });
  const argumentsOf = (preset: ResolvedPreset) => {
    const job = { mode: 'preset', preset: 'course', input: { url: 'https://a.example/in.mp4' } } as const;
    const { recipe } = resolvePreset(presetOfStage(preset), job) as { recipe: object };
    const files = { inputPath: '/in.mp4', outputDirectory: '/out' };
    const plan = planRecipe(recipeRequestSchema.parse(recipe), {
      ...files,
      probe: aProbe([aVideoStream()]),
      format: 'mp4',
    });
    return JSON.stringify(plan);
  };
  expect(argumentsOf(kept)).toMatch(/"-crf","24".*"-preset","slow"|"-preset","slow".*"-crf","24"/);
  expect(argumentsOf(kept)).not.toBe(argumentsOf(ofToday));
});

it.each([
  ['its file changed', { request: { ...webm, recipe: { name: 'transcode', fps: 25 } } }, {}, 'request'],
  ['its text changed', { title: 'New' }, {}, 'title'],
  ['a default overrides its file', {}, { request: { ...webm, output: { format: 'mkv' } } }, 'request'],
])('a resolved preset is not deployed if %s', (_, ofFile, ofResolved, path) => {
  const file = written(webm);
  const problems = findPresetProblems({ ...file, ...ofFile }, { ...resolved(file), ...ofResolved });
  expect(problems.map((problem) => problem.path)).toContain(path);
});

it('a resolved preset that this release does not accept has the path of the problem', () => {
  const request = { ...webm, recipe: { name: 'transcode', gone: 1 } };
  const file = written(request);
  const problems = findPresetProblems(file, { ...file, ...ref, defaults: {}, createdAt: now.toISOString() });
  expect(problems).toEqual([{ path: 'request.recipe.gone', message: expect.stringContaining('Unknown field') }]);
});

it.each([
  ['request.recipe.crf', { ...webm, recipe: { name: 'transcode', crf: 99 } }, []],
  ['request.input', { ...webm, input: { url: 'https://a.example/in.mp4' } }, []],
  ['request.webhookUrl', { ...webm, webhookUrl: 'https://a.example/hook' }, []],
  ['request.recipe.name', { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'concat' } }, []],
  ['request.mode', { mode: 'preset', preset: 'course' }, []],
  ['allow.0', webm, ['recipe.crff']],
  ['allow.0', webm, ['outputs.small.recipe.crf']],
  ['allow.0', webm, ['input.url']],
  [
    'request.recipe.encryption.key',
    {
      mode: 'recipe',
      output: { format: 'm3u8' },
      recipe: { name: 'hls', encryption: { scheme: 'aes-128', keyUri: 'https://a.example/key', key: '0'.repeat(32) } },
    },
    [],
  ],
])('a preset that no job could use is rejected at %s', (path, request, allow) => {
  const result = resolvePresetFile(written(request, { allow }), { ref, now });
  expect(result).toMatchObject({ problems: [{ path }] });
});

describe('a file with a command', () => {
  const command = {
    inputs: ['{input}'],
    arguments: ['-vf', 'noise=alls={strength}', '-preset', '{speed}'],
    outputs: ['{output}.mp4'],
    parameters: {
      strength: { type: 'integer', min: 0, max: 100, default: 20 },
      speed: { type: 'enum', values: ['fast', 'slow'], default: 'fast' },
    },
  };
  const parse = (more: object = {}) => presetFileSchema.safeParse({ title: 'Grain', command, ...more });

  it('is a preset whose parameters jobs may set', () => {
    const file = presetFileSchema.parse({ title: 'Grain', command, allow: ['keepDays'] });
    const preset = resolved(file);
    expect(preset.request).toMatchObject({ recipe: { name: 'command', strength: 20, speed: 'fast', command } });
    expect(preset.allow).toEqual(['keepDays', 'recipe.strength', 'recipe.speed']);
    expect(findPresetProblems(file, preset)).toEqual([]);
    expect(findPresetProblems(file, resolved(file, preset))).toEqual([]);
  });

  it.each<[string, object, object?]>([
    ['command.arguments.0', { arguments: ['-i', '/etc/passwd'] }],
    ['command.arguments.1', { arguments: ['-vf', 'movie=filename={speed}'] }],
    ['command.arguments.1', { arguments: ['-vf', 'noise=alls={size}'] }],
    ['command.arguments.2', { arguments: ['-an', '-sn', '{speed}'] }],
    ['command.arguments.1', { arguments: ['-c:v', '{speed}'] }],
    ['allow.0', {}, { allow: ['recipe'] }],
    ['allow.0', {}, { allow: ['recipe.command.arguments'] }],
  ])('is rejected at %s', (path, ofCommand, more = {}) => {
    const file = presetFileSchema.parse({ title: 'Grain', command: { ...command, ...ofCommand }, ...more });
    expect(resolvePresetFile(file, { ref, now })).toMatchObject({ problems: [{ path }] });
  });

  it.each<[string, object]>([
    ['command.inputs.0', { inputs: ['/etc/passwd'] }],
    ['command.outputs.0', { outputs: ['/tmp/out.mp4'] }],
    ['command.outputs.0', { outputs: ['{output}.m3u8'] }],
    ['command.parameters.name', { parameters: { name: command.parameters.speed } }],
    ['command.parameters.speed', { parameters: { speed: { ...command.parameters.speed, default: 'x' } } }],
    ['command.parameters.speed.values.0', { parameters: { speed: { type: 'enum', values: ['-i'], default: 'a' } } }],
  ])('is not parsed with a wrong %s', (path, ofCommand) => {
    const { error } = parse({ command: { ...command, ...ofCommand } });
    expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });

  it('has either a command or a request', () => {
    expect(parse({ request: webm }).error?.issues).toMatchObject([{ path: ['request'] }]);
    expect(parse({ command: undefined }).error?.issues).toMatchObject([{ path: ['request'] }]);
  });
});

it.each(recipes.filter(({ inputCount }: Recipe) => !inputCount).map((recipe) => [recipe.name, recipe]))(
  'a resolved preset of %s follows from its file',
  (_, { example }) => {
    const file = written({ mode: 'recipe', ...example });
    expect(findPresetProblems(file, resolved(file))).toEqual([]);
  },
);
