import { type JobResource, queuedJobExample } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { submitCommandLine } from '../../src/formatting/command-line.ts';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';
import { shellArguments } from '../builders/shell-arguments.ts';

const url = 'https://media.example/video.mov';

describe('submit with storage providers', () => {
  const [archive, videos, other] = [1, 2, 3].map((digit) => `sp_${String(digit).repeat(32)}`);
  const providers = [
    { id: archive, name: 'Archive', bucket: 'archive', prefix: 'raw' },
    { id: videos, name: 'Videos', bucket: 'videos' },
    { id: other, name: 'Other', bucket: 'videos', prefix: 'new/' },
    { id: 'bucket:media', name: 'media', bucket: 'media', prefix: 'in/', allows: 'read' },
  ];

  async function submitToProviders(...args: string[]) {
    const stub = await aStubApi({
      'POST /api/v1/jobs': { status: 201, body: queuedJobExample },
      'GET /api/v1/storage-providers': { status: 200, body: { storageProviders: providers } },
    });
    const result = await runCli(['submit', ...args, '--recipe', 'mute'], { baseUrl: stub.origin });
    const sent = stub.requests.find(({ method }) => method === 'POST');
    return { ...result, body: sent && JSON.parse(sent.body) };
  }

  it.each([
    ['s3://archive/raw/a b%.mov', [], { storageProviderId: archive, key: 'a b%.mov' }],
    ['s3://videos/old.mov', [], { storageProviderId: videos, key: 'old.mov' }],
    ['s3://videos/new/a.mov', ['--provider', other], { storageProviderId: other, key: 'a.mov' }],
    ['s3://media/in/a.mov', [], { storageProviderId: 'bucket:media', key: 'a.mov' }],
    [`storage://${videos}/new/a%20b.mov`, [], { storageProviderId: videos, key: 'new/a b.mov' }],
  ] as [string, string[], object][])('reads %s %j', async (input, options, expected) => {
    const { body, err } = await submitToProviders(input, ...options);
    expect(body?.input, err).toEqual(expected);
  });

  it.each([
    ['s3://videos/new/a.mov', [], `Several storage providers have the bucket videos: ${videos} (Videos)`],
    ['s3://archive/a.mov', [], 'No storage provider has the key a.mov under its prefix.'],
    ['s3://archived/a.mov', [], 'No storage provider has the bucket archived.'],
    ['s3://videos/a.mov', ['--provider', archive], `${archive} does not have the key a.mov`],
    [url, ['--provider', videos], '--provider needs an input s3://bucket/key.'],
    [url, ['--output-provider', 'videos'], '--output-provider: Must be the id of a storage provider'],
    [url, ['--output-key', '{job}'], '--output-key: {job} is not one of {jobId}, {name}'],
  ] as [string, string[], string][])('rejects %s %j', async (input, options, message) => {
    const { exitCode, err, body } = await submitToProviders(input, ...options);
    expect(err).toContain(message);
    expect([exitCode, body]).toEqual([2, undefined]);
  });

  it('leaves an s3 URL to the service if its key may not list storage providers', async () => {
    const stub = await aStubApi({
      'POST /api/v1/jobs': { status: 201, body: queuedJobExample },
      'GET /api/v1/storage-providers': {
        status: 403,
        body: { error: { code: 'FORBIDDEN', message: 'The key lacks storage.', retryable: false, requestId: 'r' } },
      },
    });
    await runCli(['submit', 's3://media/in/a.mov', '--recipe', 'mute'], { baseUrl: stub.origin });
    const sent = stub.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({ input: { url: 's3://media/in/a.mov' } });
  });

  it.each<JobResource['request']['output']>([
    { format: 'mp4', storageProviderId: videos, key: "{date}/it's {name}.{extension}" },
    { format: 'mp4', storageProviderId: null },
    {
      ...{ format: 'mp4', storageProviderId: 'bucket:media', storageClass: 'STANDARD_IA', tags: { team: 'a b' } },
      headers: { cacheControl: 'max-age=60', contentDisposition: 'inline; filename="a b"' },
    },
  ])('the command line of the output %j sends exactly its request', async (output) => {
    const input = { storageProviderId: archive, key: "raw/it's 100 %.mov" };
    const request = { mode: 'recipe', input, output, recipe: { name: 'mute' } };
    const stub = await aStubApi({ 'POST /api/v1/jobs': { status: 201, body: queuedJobExample } });
    const args = ['submit', ...shellArguments(submitCommandLine(request, 'media-jobs'))];
    const { exitCode, err } = await runCli(args, { baseUrl: stub.origin });
    expect(exitCode, err).toBe(0);
    expect(JSON.parse(stub.requests[0]?.body ?? '')).toEqual(request);
  });
});
