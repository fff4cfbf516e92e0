// @module-tag jobs
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { resolveStagePresets } from '../../lib/settings/stage-presets.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

let running: RunningStage;
let customer: WebServer;
const request = { mode: 'recipe', output: { format: 'jpg' }, recipe: { name: 'thumbnail' } };
const grain = {
  title: 'Grain',
  command: {
    inputs: ['{input}'],
    arguments: [
      ...['-vf', 'scale=w={width}:h=-2,noise=alls=20:allf=t', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
      ...['-metadata', 'title={title}'],
    ],
    outputs: ['{output}.mp4'],
    parameters: {
      width: { type: 'integer', min: 32, max: 1920, default: 160 },
      title: { type: 'string', default: 'Grain' },
    },
  },
};

beforeAll(async () => {
  const presets = await aTemporaryFolder();
  const house = { title: 'House poster', request, allow: ['recipe.width'] };
  await writeFile(path.join(presets, 'house@1.json'), JSON.stringify(house));
  await writeFile(path.join(presets, 'house@2.json'), JSON.stringify({ ...house, draft: true }));
  await writeFile(path.join(presets, 'grain@1.json'), JSON.stringify(grain));
  const resolved = ['grain@1.resolved.json', 'house@1.resolved.json', 'house@2.resolved.json'];
  expect(resolveStagePresets(presets, new Date())).toEqual(resolved);
  running = await aRunningStage({ assemblyDirectory: await anAssemblyWith({ presets }) });
  const clip = await readFile(
    await generatedFile('preset.mp4', [...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10:duration=1'], '-an']),
  );
  customer = await aWebServer(({ path: asked }, response) =>
    asked === '/clip.mp4' ? response.end(clip) : response.writeHead(404).end(),
  );
});

const post = async <Body = JobResource>(route: string, body: object) => {
  const answer = await running.api('POST', `/api/v1/${route}`, body);
  return { status: answer.status, body: answer.body as Body };
};
const aJob = (more: object = {}) => ({
  ...{ mode: 'preset', preset: 'house', input: { url: `${customer.origin}/clip.mp4` } },
  ...more,
});

it('a job of a preset of the stage is done as its resolved request', async () => {
  const media = { durationSeconds: 1, width: 320, height: 180 };
  expect(await post('jobs/estimate', { ...aJob(), media })).toMatchObject({ status: 200, body: { usd: {} } });
  const { body: created } = await post('jobs', aJob({ parameters: { 'recipe.width': 64 } }));
  const job = await waitForJobEnd(running.api, created.jobId);
  expect(job).toMatchObject({
    ...{ state: 'completed', preset: 'house@1' },
    request: { mode: 'recipe', recipe: { name: 'thumbnail', width: 64 } },
    output_files: { output: { width: 64, height: 36 } },
  });
});

it('a command of a preset is priced, run, logged and probed as a recipe', async () => {
  const media = { durationSeconds: 1, width: 320, height: 180 };
  const asked = aJob({ preset: 'grain', parameters: { 'recipe.width': 96, 'recipe.title': '1080' } });
  expect(await post('jobs/estimate', { ...asked, media })).toMatchObject({ status: 200, body: { usd: {} } });
  const { body: created } = await post('jobs', asked);
  const job = await waitForJobEnd(running.api, created.jobId);
  expect(job).toMatchObject({
    ...{ state: 'completed', preset: 'grain@1' },
    request: { mode: 'recipe', recipe: { name: 'command', width: 96, title: '1080' } },
    output_files: { output: { width: 96, height: 54, codec: 'h264' } },
  });
  expect(job.cost?.usd).toBeGreaterThan(0);
  const { body: log } = await running.api('GET', `/api/v1/jobs/${created.jobId}/log`);
  expect(JSON.stringify(log)).toContain("scale=w='96':h='-2',noise=alls='20':allf='t'");
});

it.each([
  [{ 'recipe.width': 16 }, 'parameters.recipe.width'],
  [{ 'recipe.width': '96' }, 'parameters.recipe.width'],
  [{ 'recipe.title': '-i' }, 'parameters.recipe.title'],
  [{ 'recipe.depth': 1 }, 'parameters.recipe.depth'],
  [{ 'recipe.command.arguments': [] }, 'parameters.recipe.command.arguments'],
])('a command takes no other values: %j', async (parameters, at) => {
  const { status, body } = await post<{ error: object }>('jobs', aJob({ preset: 'grain', parameters }));
  expect([status, body.error]).toMatchObject([400, { details: [{ path: at }] }]);
});

it.each(['jobs', 'jobs/estimate', 'presets'])('nobody sends a command to POST %s', async (route) => {
  const request = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'command', ...grain } };
  const job = { ...request, input: { url: `${customer.origin}/clip.mp4` } };
  const { status, body } = await post<object>(route, route === 'presets' ? { name: 'mine', request } : job);
  expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
  expect(JSON.stringify(body)).toContain('recipe.name');
});

it('a retry repeats the version and its request', async () => {
  const parameters = { 'recipe.width': 96 };
  const { body } = await post(
    'jobs',
    aJob({ preset: 'house@2', input: { url: `${customer.origin}/gone` }, parameters }),
  );
  expect(await waitForJobEnd(running.api, body.jobId)).toMatchObject({ state: 'rejected', preset: 'house@2' });
  const { body: again } = await post(`jobs/${body.jobId}/retry`, {});
  expect(again).toMatchObject({ preset: 'house@2', request: { recipe: { name: 'thumbnail', width: 96 } } });
});

it('an owner stores, publishes, uses and retires a version', async () => {
  const mine = { name: 'mine', draft: true, request };
  expect(await post('presets', mine)).toMatchObject({
    status: 201,
    body: { version: 1, source: 'owner', draft: true },
  });
  expect((await post('jobs', aJob({ preset: 'mine' }))).body).toMatchObject({ error: { code: 'PRESET_NOT_FOUND' } });
  expect((await running.api('PATCH', '/api/v1/presets/mine/1', { draft: false })).status).toBe(200);
  expect((await post('jobs', aJob({ preset: 'mine' }))).body.preset).toBe('mine@1');
  expect((await running.api('PATCH', '/api/v1/presets/mine/1', { retired: true })).status).toBe(200);
  expect((await post('jobs', aJob({ preset: 'mine' }))).status).toBe(400);
  expect((await running.api('GET', '/api/v1/presets')).body).toMatchObject({
    presets: [
      { name: 'grain', version: 1, allow: ['recipe.width', 'recipe.title'] },
      { name: 'house', version: 2, source: 'stage', draft: true },
      { name: 'mine', version: 1, retired: true },
    ],
  });
  expect((await running.api('GET', '/api/v1/presets/house')).body).toMatchObject({ version: 1, title: 'House poster' });
  expect((await post('presets', { name: 'house', request })).status).toBe(409);
});
