// @module-tag requests
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cliProcess } from '@media-jobs/cli/testing';
import { localAudience, localIssuer } from '@media-jobs/local-stage/identity';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { bareFfprobe, clipWith } from '@media-jobs/video/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aTokenIssuer } from '../builders/http/session-tokens.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const provider = aTokenIssuer();
let running: RunningStage;
let customer: WebServer;
let clip: string;
let folder: string;
/** Ends the slow responses of inputs. */
let serveSlowOnes: () => void;

beforeAll(async () => {
  clip = await clipWith();
  folder = await aTemporaryFolder();
  customer = await aWebServer(async ({ path }, response) => {
    if (path === '/jwks') response.end(JSON.stringify(provider.jwks));
    else if (path === '/refuses') response.writeHead(500).end();
    else if (path === '/hook') response.end();
    else {
      await slowOnes;
      response.end(await readFile(clip));
    }
  });
  running = await aRunningStage({ environment: { OIDC_JWKS_URI: `${customer.origin}/jwks` } });
});

let slowOnes: Promise<void>;
beforeEach(() => {
  ({ promise: slowOnes, resolve: serveSlowOnes } = Promise.withResolvers<void>());
});

function start(args: string[], credential = running.apiKey) {
  const environment = { MEDIA_JOBS_URL: running.stage.baseUrl, MEDIA_JOBS_KEY: credential };
  return cliProcess(args, { environment, cwd: folder });
}

const cli = (...args: string[]) => start(args).ended;

/** Submits a job with a slow input; returns its id. */
async function aSlowJob(name: string): Promise<string> {
  const { exitCode, out, err } = await cli('submit', `${customer.origin}/${name}.mp4`, '--recipe', 'mute');
  expect(exitCode, err).toBe(0);
  return out.trim();
}

describe('a local file', () => {
  it('is uploaded, compressed and downloaded by one command', async () => {
    const options = '--recipe compress --crf 40 --max-width 160 --metadata customer=4711'.split(' ');
    const { exitCode, out, err } = await cli('submit', clip, ...options, '--wait', '--download', 'small.mp4');
    expect(exitCode, err).toBe(0);
    expect(out).toMatch(/State +completed, 100 %[\s\S]+Metadata +customer=4711[\s\S]+small\.mp4\n$/);
    expect(err).toMatch(
      /100 % {2}uploaded[\s\S]+100 % {2}completed[\s\S]+100 % {2}downloaded {2}small\.mp4[\s\S]+became .+ % saved\.\n$/,
    );
    const entries = ['-select_streams', 'v:0', '-show_entries', 'stream=codec_name,width', '-of', 'csv=p=0'];
    expect(await bareFfprobe([...entries, join(folder, 'small.mp4')])).toEqual(['h264,160']);
  });

  it('has a job that can be listed, read, downloaded and deleted', async () => {
    const submitted = await cli('submit', clip, '--recipe', 'thumbnail', '--download', 'shots/', '--json');
    const job = JSON.parse(submitted.out);
    const [{ path }] = job.downloads;
    expect([submitted.exitCode, submitted.err, job.state]).toEqual([0, '', 'completed']);
    expect(await readdir(join(folder, 'shots'))).toEqual([basename(path)]);

    const { jobs } = JSON.parse((await cli('list', '--state', 'completed', '--json')).out);
    expect(jobs.map(({ jobId }: { jobId: string }) => jobId)).toContain(job.jobId);
    expect((await cli('list', '--limit', '1')).out).toMatch(
      new RegExp(`^JOB .*\n${job.jobId}  completed   100 %  thumbnail`),
    );
    expect(JSON.parse((await cli('get', job.jobId, '--json')).out)).toMatchObject({
      output: { signedUrl: expect.any(String) },
    });
    expect((await cli('log', job.jobId)).out).toMatch(/^Attempt 1, ffmpeg version .*\n\$ ffmpeg .* -i /);
    expect(JSON.parse((await cli('download', job.jobId, '--json')).out).files[0].path).toBe(
      join(folder, basename(path)),
    );
    expect((await cli('download', job.jobId)).exitCode).toBe(6);
    expect(JSON.parse((await cli('delete', job.jobId, '--json')).out)).toEqual({ jobId: job.jobId, deleted: true });
    expect((await cli('get', job.jobId)).exitCode).toBe(4);
  });

  it('that is not media ends the command with the error of its job', async () => {
    const { exitCode, out, err } = await cli(
      'submit',
      join(process.cwd(), 'package.json'),
      '--recipe',
      'mute',
      '--wait',
    );
    expect(exitCode).toBe(1);
    expect(out).toMatch(/\nError +INPUT_NOT_MEDIA while probing: The input is not a media file/);
    expect(err).toContain('The job was rejected.');
  });
});

it('a webhook is delivered, redelivered, and the job is counted in the usage', async () => {
  const options = ['--recipe', 'mute', '--webhook-url', `${customer.origin}/hook`, '--wait', '--json'];
  const { jobId } = JSON.parse((await cli('submit', clip, ...options)).out);
  const attempts = async () => (await cli('deliveries', jobId)).out.split('\n').slice(1, -1);
  const delivered = expect.stringMatching(/^\S+ {2}1 {8}delivered {2}200 .* http:\S+\/hook$/);
  await expect.poll(attempts, { timeout: 60_000 }).toEqual([delivered]);
  expect(await cli('redeliver', jobId)).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^\S+\n$/) });
  await expect.poll(attempts, { timeout: 60_000 }).toEqual([delivered, delivered]);
  expect((await cli('usage')).out).toMatch(/^DAY .*\n(\d{4}(-\d\d){2} .*\n)+All .*B {2}\$[\d.]+\n$/);
});

describe('a slow job', () => {
  it('is cancelled, retried and watched until it completes', async () => {
    const jobId = await aSlowJob('cancelled');
    expect((await cli('cancel', jobId)).out).toBe(`Job ${jobId} is cancelled.\n`);
    const { jobId: again, retryOf } = JSON.parse((await cli('retry', jobId, '--json')).out);
    expect(retryOf).toBe(jobId);
    const watching = start(['watch']);
    await watching.waitForStderr(again);
    serveSlowOnes();
    const { exitCode, out, err } = await watching.ended;
    expect([exitCode, out]).toEqual([0, '1 of 1 jobs completed.\n']);
    expect(err).toContain(`100 %  completed  cancelled.mp4 (${again})`);
    expect(await cli('cancel', again)).toMatchObject({ exitCode: 4, out: '' });
    expect((await cli('watch')).out).toBe('There are no unfinished jobs.\n');
  });

  it('keeps running after Ctrl-C, and can be watched again', async () => {
    const waiting = start(['submit', `${customer.origin}/waited.mp4`, '--recipe', 'mute', '--wait']);
    await waiting.waitForStderr('downloading');
    waiting.child.kill('SIGINT');
    const { exitCode, out, err } = await waiting.ended;
    const [, jobId = ''] = /media-jobs watch (\S+)/.exec(err) ?? [];
    expect([exitCode, out]).toEqual([130, '']);
    expect(err).toContain(`Interrupted.\nThe job keeps running. To watch it again: media-jobs watch ${jobId}\n`);
    serveSlowOnes();
    const watched = await cli('watch', jobId, '--json');
    expect([watched.exitCode, watched.err]).toEqual([0, '']);
    expect(JSON.parse(watched.out).jobs).toMatchObject([{ jobId, state: 'completed' }]);
  });
});

it('settings are shown, set, tested and cleared', async () => {
  expect((await cli('settings')).out).toMatch(/^Default webhook +none\n/);
  expect((await cli('webhook', 'test')).exitCode).toBe(2);
  expect((await cli('settings', 'set-webhook', `${customer.origin}/hook`)).exitCode).toBe(0);
  expect(await cli('webhook', 'test')).toMatchObject({ exitCode: 0, out: 'Delivered: the receiver answered 200.\n' });
  await cli('settings', 'set-webhook', `${customer.origin}/refuses`);
  const failed = await cli('webhook', 'test', '--json');
  expect([failed.exitCode, JSON.parse(failed.out)]).toEqual([1, { ok: false, status: 500 }]);
  expect(JSON.parse((await cli('settings', 'clear', '--json')).out)).toMatchObject({ defaultWebhookUrl: null });
});

describe('keys', () => {
  it('are created, listed and revoked by a session', async () => {
    const session = (...args: string[]) => start(args, provider.token({ iss: localIssuer, aud: localAudience })).ended;
    const key = (await session('keys', 'create', 'laptop')).out.trim();
    const { keys } = JSON.parse((await session('keys', 'list', '--json')).out);
    expect(keys).toMatchObject([{ name: 'laptop' }]);
    expect((await start(['list'], key).ended).exitCode).toBe(0);
    expect((await session('keys', 'revoke', keys[0].keyId)).exitCode).toBe(0);
    expect((await start(['list'], key).ended).exitCode).toBe(3);
  });

  it('are created by a key, with fewer scopes and an expiry', async () => {
    const options = ['--scope', 'jobs:read', '--expires', '10m', '--max-unfinished-jobs', '0'];
    const made = await cli('keys', 'create', 'a browser', ...options, '--json');
    const { key, expiresAt, ...access } = JSON.parse(made.out);
    expect(access).toMatchObject({ scopes: ['jobs:read'], limits: { maxUnfinishedJobs: 0 } });
    const leftMs = Date.parse(expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(600_000);
    expect((await start(['list'], key).ended).exitCode).toBe(0);
    const { exitCode, err } = await start(['keys'], key).ended;
    expect(exitCode).toBe(3);
    expect(err).toMatch(/^This API key does not have the scope keys\.\nUse a key with the scope/);
  });
});
