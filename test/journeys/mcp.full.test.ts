// @module-tag requests
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../lib/build/paths.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

type Content = Record<string, unknown>;
type Agent = {
  client: Client;
  /** Calls a tool. @throws Error with the message that a model reads */
  use(name: string, args?: object, onProgress?: (progress: number) => void): Promise<Content>;
};

let running: RunningStage;
let agent: Agent;
let clip: string;

async function anAgent(env: Record<string, string>, args: readonly string[] = []): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  const program = join(root, 'packages/mcp/src/bin.js');
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, ...args],
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd: root,
    }),
    { timeout: 120_000 },
  );
  const own: Agent = {
    client,
    async use(name, args = {}, onProgress) {
      const options = {
        timeout: 120_000,
        ...(onProgress && { onprogress: ({ progress }: { progress: number }) => onProgress(progress) }),
      };
      const { content, isError, structuredContent } = await client.callTool(
        { name, arguments: { ...args } },
        undefined,
        options,
      );
      const [{ text = '' } = {}] = content as { text?: string }[];
      if (isError) throw new Error(text);
      expect(JSON.parse(text)).toEqual(structuredContent);
      return structuredContent as Content;
    },
  };
  afterUse(() => client.close());
  return own;
}

const access = () => ({ MEDIA_JOBS_URL: running.stage.baseUrl, MEDIA_JOBS_KEY: running.apiKey });

beforeAll(async () => {
  running = await aRunningStage();
  agent = await anAgent(access());
  clip = await generatedFile('agent.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=3', '-f', 'lavfi', '-i', 'sine=duration=3'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'],
  ]);
});

/** Submits a job and waits for its end. */
async function run(
  job: object,
  by = agent,
): Promise<Content & { files: Record<string, { url: string; mimeType: string }> }> {
  const { jobId } = await by.use('submit', { input: clip, ...job });
  for (;;) {
    const ended = await by.use('wait', { jobId });
    if (!['queued', 'processing'].includes(String(ended.state))) return ended as never;
  }
}

describe('an agent', () => {
  it('finds ten tools at most, each with a description, and none that deletes', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.every(({ description = '' }) => description.length > 20)).toBe(true);
    expect(tools.length).toBeLessThanOrEqual(11);
    expect(
      tools.filter(({ name, annotations }) => /delete|cancel|key/.test(name) || annotations?.destructiveHint === true),
    ).toEqual([]);
  });

  it('learns what recipes there are', async () => {
    const { recipes } = (await agent.use('recipes')) as { recipes: Content[] };
    expect(recipes).toContainEqual(
      expect.objectContaining({ name: 'compress', formats: expect.arrayContaining(['mp4']) }),
    );
  });

  it('learns the parameters of a recipe, with their ranges', async () => {
    const { recipe } = (await agent.use('recipes', { name: 'compress' })) as { recipe: { parameters: unknown } };
    expect(recipe.parameters).toMatchObject({ properties: { crf: { maximum: expect.any(Number) } } });
  });

  it('is told the recipes that there are after a wrong name', async () => {
    await expect(agent.use('recipes', { name: 'shrink' })).rejects.toThrow(/There is no recipe "shrink".*compress/);
  });

  it('uses a preset, and learns what it allows', async () => {
    const preset = {
      name: 'agent-poster',
      request: { mode: 'recipe', recipe: { name: 'thumbnail' }, output: { format: 'jpg' } },
      allow: ['recipe.width'],
    };
    expect(await running.api('POST', '/api/v1/presets', preset)).toMatchObject({ status: 201 });
    const { presets } = (await agent.use('presets')) as { presets: Content[] };
    expect(presets).toContainEqual(
      expect.objectContaining({ name: 'agent-poster', version: 1, allow: ['recipe.width'] }),
    );
    const job = await run({ preset: 'agent-poster', parameters: { 'recipe.width': 160 } });
    expect(job.files.output?.mimeType).toBe('image/jpeg');
  });

  it('uploads a file once and uses it in a job', async () => {
    const { input } = await agent.use('upload', { path: clip });
    expect(await run({ input, recipe: { name: 'extract-audio' }, format: 'mp3' })).toMatchObject({
      state: 'completed',
    });
  });

  it('is told which file is not there', async () => {
    await expect(agent.use('upload', { path: '/nowhere/clip.mp4' })).rejects.toThrow('/nowhere/clip.mp4');
  });

  it('learns size, duration and tracks of a file', async () => {
    const { media, probeJobId } = await agent.use('probe', { input: clip });
    expect(JSON.stringify(media)).toMatch(/"width":320/);
    expect(probeJobId).toEqual(expect.any(String));
  });

  it('learns time and price before it submits, and probes an input once', async () => {
    const job = { input: clip, recipe: { name: 'compress', crf: 30 } };
    const first = await agent.use('estimate', job);
    expect(first).toMatchObject({ usd: { p50: expect.any(Number) }, worker: 'function' });
    expect(await agent.use('estimate', { ...job, probeJobId: first.probeJobId })).toMatchObject({ usd: first.usd });
  });

  it('makes a video smaller, and downloads it', async () => {
    const { files, costUsd } = await run({ recipe: { name: 'compress', crf: 34, maxWidth: 160 }, format: 'mp4' });
    expect(costUsd).toBeGreaterThan(0);
    const response = await fetch(files.output?.url ?? '');
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  it('needs no format: it is the first of the recipe', async () => {
    expect((await run({ recipe: { name: 'thumbnail' } })).files.output?.mimeType).toBe('image/jpeg');
  });

  it('makes a poster and a small version in one job', async () => {
    const outputs = {
      poster: { recipe: { name: 'thumbnail', at: 'best' }, format: 'jpg' },
      small: { recipe: { name: 'compress', maxWidth: 160 }, format: 'mp4' },
    };
    const job = await run({ outputs });
    expect(job).toMatchObject({ state: 'completed', outputStates: { poster: { state: 'completed' } } });
    expect(Object.keys(job.files).sort()).toEqual(['poster', 'small']);
  });

  it('runs recipes one after another', async () => {
    const steps = [{ recipe: { name: 'clip', start: 0, end: 1 } }, { recipe: { name: 'resize', width: 160 } }];
    expect(await run({ steps, format: 'mp4' })).toMatchObject({ state: 'completed' });
  });

  it('finds its jobs by their metadata, and by a search', async () => {
    const { jobId } = await agent.use('submit', {
      input: clip,
      recipe: { name: 'thumbnail' },
      metadata: { order: 'agent-17' },
    });
    const found = { jobs: [expect.objectContaining({ jobId, metadata: { order: 'agent-17' } })], nextCursor: null };
    expect(await agent.use('list', { metadata: { order: 'agent-17' } })).toEqual(found);
    expect(await agent.use('list', { search: 'agent-17' })).toEqual(found);
  });

  it('learns why a job was rejected, and finds it in the list', async () => {
    const job = await run({ input: `${running.stage.baseUrl}/health`, recipe: { name: 'compress' } });
    expect(job).toMatchObject({ state: 'rejected', error: { code: expect.any(String), message: expect.any(String) } });
    const { jobs } = (await agent.use('list', { state: 'rejected' })) as { jobs: Content[] };
    expect(jobs.map(({ jobId }) => jobId)).toContain(job.jobId);
  });

  it('reads the request and the ffmpeg log of a job', async () => {
    const { jobId } = await run({ recipe: { name: 'thumbnail' } });
    const read = await agent.use('read', { jobId, log: true });
    expect(read).toMatchObject({ request: { recipe: { name: 'thumbnail' } } });
    expect(JSON.stringify(read.log)).toContain('ffmpeg');
  });

  it('is told which parameter is wrong', async () => {
    const job = { input: clip, recipe: { name: 'compress', crf: 99 }, format: 'mp4' };
    await expect(agent.use('submit', job)).rejects.toThrow(/VALIDATION_ERROR.*\s.*recipe\.crf/);
  });

  it('is told that a job does one thing', async () => {
    await expect(agent.use('submit', { input: clip })).rejects.toThrow(
      'Give one of recipe, steps, outputs and preset; none was given.',
    );
  });

  it('gets the state of a job that has not ended when its time is over, and its progress before', async () => {
    const bytes = await readFile(clip);
    const released = Promise.withResolvers<void>();
    const slow = await aWebServer((_, response) => void released.promise.then(() => response.end(bytes)));
    const { jobId } = await agent.use('submit', { input: `${slow.origin}/clip.mp4`, recipe: { name: 'thumbnail' } });
    expect(await agent.use('wait', { jobId, seconds: 0 })).toMatchObject({
      jobId,
      state: expect.stringMatching(/queued|processing/),
    });
    released.resolve();
    const seen: number[] = [];
    expect(await agent.use('wait', { jobId }, (progress) => seen.push(progress))).toMatchObject({ state: 'completed' });
    // The protocol's client may forget the last one, which comes with the answer.
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(0);
  });

  it('plays a stream', async () => {
    const { jobId } = await run({ recipe: { name: 'hls' }, format: 'm3u8' });
    const { hls } = await agent.use('playback', { jobId, expiresInSeconds: 600 });
    expect(await (await fetch(String(hls))).text()).toContain('#EXTM3U');
  });

  it('spends no more than --max-usd: a job gets a limit, and what it has not cost comes back', async () => {
    const frugal = await anAgent(access(), ['--max-usd', '0.05']);
    const job = { input: clip, recipe: { name: 'thumbnail' } };
    await expect(frugal.use('submit', { ...job, maxCostUsd: 1 })).rejects.toThrow(/--max-usd.*\$0.05 is left/);
    const all = await frugal.use('submit', job);
    expect(all).toMatchObject({ maxCostUsd: 0.05 });
    await expect(frugal.use('submit', job)).rejects.toThrow(/1 unfinished job holds/);
    await frugal.use('wait', { jobId: all.jobId });
    const { maxCostUsd } = await frugal.use('submit', job);
    expect(maxCostUsd).toBeGreaterThan(0.04);
    expect(maxCostUsd).toBeLessThan(0.05);
  });

  it('may do what its key may', async () => {
    const { body } = await running.api('POST', '/api/v1/keys', { name: 'reader', scopes: ['jobs:read'] });
    const reader = await anAgent({ ...access(), MEDIA_JOBS_KEY: (body as { key: string }).key });
    await expect(
      reader.use('submit', { input: 'https://example.com/a.mp4', recipe: { name: 'thumbnail' } }),
    ).rejects.toThrow('FORBIDDEN');
  });

  it('gets a service on this machine where no address is set', async () => {
    const start = `${process.execPath} lib/local/start.ts --json --port 0 --data-dir ${await aTemporaryFolder()}`;
    const local = await anAgent({}, ['--start', start]);
    expect(await run({ recipe: { name: 'thumbnail' } }, local)).toMatchObject({ state: 'completed' });
  });
});
