// @module-tag jobs
import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { bareFfprobe, generatedFile } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { patience } from '../builders/stage/patience.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { readJob, submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  const clip = generatedFile('outputs.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=8'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'],
  ]).then((path) => readFile(path));
  running = await aRunningStage();
  const whole = await clip;
  customer = await aWebServer(({ path, method }, response) => {
    if (method === 'POST') response.writeHead(200).end();
    // Its index promises eight seconds; the bytes end after two.
    else response.end(path === '/torn.mp4' ? whole.subarray(0, Math.floor(whole.length / 4)) : whole);
  });
});

const poster = { recipe: { name: 'thumbnail', at: 1 }, format: 'jpg' };
const small = { recipe: { name: 'compress', maxWidth: 160 }, format: 'mp4' };
const late = { recipe: { name: 'clip', start: 5, end: 7 }, format: 'mp4' };

const submit = (outputs: object, path = '/clip.mp4') =>
  submitJob(running.api, {
    ...{ mode: 'outputs', recipe: undefined, output: undefined },
    ...{ input: { url: customer.origin + path }, webhookUrl: `${customer.origin}/hook`, outputs },
  });

const eventOf = (jobId: string) =>
  vi.waitFor(() => {
    const events = customer.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body) as { data: JobResource })
      .filter(({ data }) => data.jobId === jobId);
    expect(events).toHaveLength(1);
    return events[0]?.data;
  }, patience);

const namesOf = ({ outputs, output_files }: Partial<JobResource> = {}) => [
  Object.keys(outputs ?? {}).toSorted(),
  Object.keys(output_files ?? {}).toSorted(),
];

describe.concurrent('a job of several outputs', () => {
  it('has the URL of a finished output before its end, and all of them in its event and in the list', async () => {
    const { jobId } = await submit({
      poster,
      sheet: { recipe: { name: 'sprite', every: 2 }, format: 'jpg' },
      small: { ...small, recipe: { ...small.recipe, preset: 'slower' }, when: { minHeight: 360 } },
      large: { ...small, when: { minHeight: 1080 } },
      teaser: { from: 'small', ...late, optional: true },
    });
    const early: (readonly [JobResource, number])[] = [];
    const job = await waitForJobEnd(running.api, jobId, async (read) => {
      if (read.state !== 'processing' || read.outputs?.poster === undefined || early.length > 0) return;
      early.push([read, 0]);
      early[0] = [read, (await fetch(read.outputs.poster)).status];
    });
    const [[before, status] = []] = early;
    expect(before).toMatchObject({
      outputStates: { poster: { state: 'completed', progress: 100 } },
      completedAt: null,
    });
    expect([before?.output, status]).toEqual([undefined, 200]);

    const names = ['poster', 'sheet', 'sheet/sprite-001', 'sheet/vtt', 'small', 'teaser'];
    expect(namesOf(job)).toEqual([names, names]);
    const done = { state: 'completed', progress: 100 };
    expect(job).toMatchObject({
      ...{ state: 'completed', progress: 100, warnings: [], request: { mode: 'outputs' } },
      outputStates: { poster: done, sheet: done, small: done, teaser: done, large: { state: 'skipped' } },
      workers: { poster: 'function', small: 'function', teaser: 'function', large: null },
      output_files: { small: { width: 160, codec: 'h264' }, teaser: { duration: expect.closeTo(2, 1) } },
      cost: { outputs: { small: { usd: expect.any(Number), seconds: expect.any(Number) } } },
    });
    expect(job).not.toHaveProperty('output');
    expect(await (await fetch(job.outputs?.sheet ?? '')).text()).toMatch(/^WEBVTT/);
    const [shown] = await bareFfprobe(['-show_entries', 'stream=width', '-of', 'csv=p=0', job.outputs?.teaser ?? '']);
    expect(shown).toMatch(/^160/);

    const event = await eventOf(jobId);
    expect(namesOf(event)).toEqual([names, names]);
    expect(event).toMatchObject({ state: 'completed' });
    const { body } = await running.api('GET', '/api/v1/jobs?expand=files');
    const listed = (body as { jobs: JobResource[] }).jobs.find((each) => each.jobId === jobId);
    expect(namesOf(listed)).toEqual([names, names]);
  });

  it('makes steps that one filter chain can express by one command, as its log shows', async () => {
    const recipes = [{ name: 'rotate', degrees: 90 }, { name: 'resize', width: 160 }, { name: 'mute' }, small.recipe];
    const { jobId } = await submitJob(running.api, {
      ...{ mode: 'pipeline', recipe: undefined, output: { format: 'mp4' } },
      ...{ input: { url: `${customer.origin}/clip.mp4` }, steps: recipes.map((recipe) => ({ recipe })) },
    });
    expect(await waitForJobEnd(running.api, jobId)).toMatchObject({ state: 'completed' });
    const { body } = await running.api('GET', `/api/v1/jobs/${jobId}/log`);
    const [{ commands }] = (body as { attempts: [{ commands: string[][] }] }).attempts;
    expect(commands).toEqual([expect.arrayContaining([expect.stringMatching(/transpose.*scale/)])]);
  });

  it('is completed without an optional output that fails, and says so', async () => {
    const { jobId } = await submit({ poster, late: { ...late, optional: true } }, '/torn.mp4');
    const job = await waitForJobEnd(running.api, jobId);
    expect(job).toMatchObject({ state: 'completed', outputStates: { late: { state: 'failed', error: {} } } });
    expect(namesOf(job)[0]).toEqual(['poster']);
    const warning = { code: 'OUTPUT_FAILED', output: 'late', message: expect.any(String) };
    expect(job.warnings).toContainEqual(warning);
    expect((await eventOf(jobId))?.warnings).toContainEqual(warning);
  });

  it('fails with a required output, whose retry makes no finished one again', async () => {
    const { jobId } = await submit({ poster, late, later: { from: 'late', ...small } }, '/torn.mp4');
    const early = new Set<string>();
    const job = await waitForJobEnd(running.api, jobId, ({ outputs }) => void early.add(outputs?.poster ?? ''));
    expect(job).toMatchObject({
      ...{ state: 'failed', error: { output: 'late', stage: 'transcoding' } },
      outputStates: { poster: { state: 'completed' }, late: { state: 'failed' }, later: { state: 'cancelled' } },
    });
    expect(namesOf(job)).toEqual([[], []]);
    const event = await eventOf(jobId);
    expect(event).toMatchObject({ error: { output: 'late' } });
    expect(namesOf(event)).toEqual([[], []]);
    for (const url of early) if (url !== '') expect((await fetch(url)).status).toBe(404);

    const { status, body } = await running.api('POST', `/api/v1/jobs/${jobId}/retry`);
    expect({ status, body }).toMatchObject({ status: 201 });
    const retried = await waitForJobEnd(running.api, (body as JobResource).jobId, ({ outputStates }) =>
      expect(outputStates?.poster).toMatchObject({ state: 'completed' }),
    );
    expect(retried).toMatchObject({ state: 'failed', error: { output: 'late' }, retryOf: jobId });
  });
});

const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`o${index}`, { ...small, ...(index > 0 && { from: `o${index - 1}` }) }]),
  );
const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`o${index}`, poster]));
const recipe = (differences: object, format = 'mp4') => ({ recipe: { name: 'compress', ...differences }, format });

it.each<[string, string, object, object?]>([
  ['no name', 'outputs.', { '': poster }],
  ['a long name', `outputs.${'x'.repeat(41)}`, { ['x'.repeat(41)]: poster }],
  ['a name with a slash', 'outputs.a/b', { 'a/b': poster }],
  ['a name that no record has', 'outputs.__proto__', JSON.parse('{ "poster": {}, "__proto__": {} }')],
  ['none', 'outputs', {}],
  ['21', 'outputs', many(21)],
  ['a circle', 'outputs.a.from', { a: { ...small, from: 'b' }, b: { ...small, from: 'a' }, poster }],
  ['itself', 'outputs.a.from', { a: { ...small, from: 'a' } }],
  ['a chain of nine', 'outputs.o8.from', chain(9)],
  ['of a set', 'outputs.a.from', { set: { recipe: { name: 'hls' }, format: 'm3u8' }, a: { ...small, from: 'set' } }],
  ['of none', 'outputs.a.from', { a: { ...small, from: 'constructor' } }],
  ['several inputs', 'outputs.a.recipe.name', { a: { recipe: { name: 'concat' }, format: 'mp4' } }],
  ['one that nobody reads', 'outputs.a.deliver', { a: { ...small, deliver: false }, poster }],
  ['none delivered', 'outputs', { a: { ...small, deliver: false }, b: { ...small, from: 'a', deliver: false } }],
  ['a parameter', 'outputs.small.recipe.crf', { small: recipe({ crf: 99 }) }],
  ['an unknown parameter', 'outputs.small.recipe.foo', { small: recipe({ foo: 1 }) }],
  ['an unknown recipe', 'outputs.small.recipe.name', { small: recipe({ name: 'compres' }) }],
  ['a format of other recipes', 'outputs.small.format', { small: recipe({}, 'jpg') }],
  ['an unknown format', 'outputs.small.format', { small: recipe({}, 'xyz') }],
  ['no format', 'outputs.small.format', { small: { recipe: { name: 'compress' } } }],
  ['an unknown field', 'outputs.small.colour', { small: { ...small, colour: 'red' } }],
  ['an unknown condition', 'outputs.small.when.minWeight', { small: { ...small, when: { minWeight: 1 } } }],
  ['a wrong condition', 'outputs.small.when.minHeight', { small: { ...small, when: { minHeight: '720' } } }],
  ['a key at no provider', 'outputs.poster.key', { poster: { ...poster, key: 'a.jpg' } }],
  ['output beside', 'output', { poster }, { output: { format: 'mp4' } }],
  ['recipe beside', 'recipe', { poster }, { recipe: small.recipe }],
  ['steps beside', 'steps', { poster }, { steps: [{ recipe: small.recipe }] }],
  ['inputs beside', 'inputs', { poster }, { inputs: [] }],
])('outputs are refused at the path of what is wrong: %s', async (_, path, outputs, beside = {}) => {
  const request = { mode: 'outputs', input: { url: `${customer.origin}/clip.mp4` }, outputs, ...beside };
  const { status, body } = await running.api('POST', '/api/v1/jobs', request);
  const { code, details = [] } = (body as { error?: { code: string; details?: { path: string }[] } }).error ?? {};
  expect({ status, code, paths: details.map((detail) => detail.path) }).toMatchObject({
    ...{ status: 400, code: 'VALIDATION_ERROR', paths: expect.arrayContaining([path]) },
  });
});

it('20 outputs and a chain of eight are accepted', async () => {
  for (const outputs of [many(20), chain(8)]) {
    const { jobId } = await submit(outputs);
    await running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
    expect((await readJob(running.api, jobId)).state).toMatch(/cancelled|processing|completed/);
  }
});
