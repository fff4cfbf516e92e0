// @module-tag jobs
import { rm } from 'node:fs/promises';
import { beforeAll, expect, it, vi } from 'vitest';
import { aChangedTemplate, type Template } from '../builders/stage/changed-assembly.ts';
import { patience } from '../builders/stage/patience.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';
import { aParallelStage, type ParallelStage } from './parallel-stage.ts';

// Logs and traces: without their statement they are lost, and jobs are not.
const isPlatform = (actions: readonly string[]) => actions.every((action) => /^(logs|xray):/.test(action));
// A worker reads the index of waiting jobs only if its job was a long one, or its owner had as many as may run.
const isRare = (actions: readonly string[]) => actions.includes('dynamodb:Query');

/** The statements of the transcoder's policy in a template. */
function transcoderStatements({ Resources }: Template): { Action: string | string[] }[] {
  const [, policy] = Object.entries(Resources).find(([id]) => id.startsWith('OpenJobTranscodeJobDefaultPolicy')) ?? [];
  return policy?.Properties.PolicyDocument.Statement;
}

/** A provider's secret is decrypted before any call to the provider, and its role assumed: neither has to exist. */
const accessOfProviders = [
  { type: 'keys', accessKeyId: 'AKIA0000000000000000', secretAccessKey: 'a-secret-that-no-provider-knows' },
  { type: 'role', roleArn: 'arn:aws:iam::999999999999:role/results' },
];

let actionsOfStatements: string[][];

beforeAll(async () => {
  await aChangedTemplate((template) => {
    actionsOfStatements = transcoderStatements(template).map(({ Action }) => [Action].flat());
  });
});

it('without any one statement of its policy, the transcoder is denied an action of that statement', async () => {
  const needed = [...actionsOfStatements.entries()].filter(([, actions]) => !isPlatform(actions) && !isRare(actions));
  expect(needed.length).toBeGreaterThanOrEqual(5);
  for (const [position, actions] of needed) {
    const assemblyDirectory = await aChangedTemplate((template) => {
      transcoderStatements(template).splice(position, 1);
    });
    const denied = await deniedActions(assemblyDirectory, actions);
    expect(actions, `denied: ${denied}`).toEqual(expect.arrayContaining([expect.toBeOneOf(denied)]));
    // Each has over 100 MB.
    await rm(assemblyDirectory, { recursive: true });
  }
}, 900_000);

/** The actions that are denied while jobs of each kind run, until one of `expected` is among them. */
async function deniedActions(assemblyDirectory: string, expected: readonly string[]): Promise<string[]> {
  const starting = aParallelStage({ assemblyDirectory });
  // AWS rejects an event source mapping whose function may not poll.
  if (expected.includes('sqs:ReceiveMessage')) {
    await expect(starting).rejects.toThrow('not authorized to perform: sqs:ReceiveMessage');
    return ['sqs:ReceiveMessage'];
  }
  const stage = await starting;
  try {
    const denied = () => stage.running.stage.permissions().denied.map(({ action }) => action);
    await stage.submit('/video.mp4', { speed: 'standard' });
    await stage.submit(await stage.upload(), { speed: 'standard' });
    await stage.occupyExecutionName(await stage.submit('/video.mp4', { speed: 'fast' }));
    for (const access of accessOfProviders) await submitToProvider(stage, access);
    await submitEncrypted(stage);
    await vi.waitFor(
      () => expect(denied(), String(expected)).toEqual(expect.arrayContaining([expect.toBeOneOf([...expected])])),
      patience,
    );
    expect(stage.running.log.join('\n')).toContain('is not authorized to perform');
    return denied();
  } finally {
    await stage.running.stop();
  }
}

/** Submits a job with a content key, which the transcoder decrypts. */
async function submitEncrypted(stage: ParallelStage): Promise<void> {
  const encryption = { scheme: 'aes-128', key: '0f'.repeat(16), keyUri: 'https://keys.example/film' };
  await submitJob(stage.running.api, {
    input: { url: await stage.upload() },
    output: { format: 'm3u8' },
    recipe: { name: 'hls', preset: 'ultrafast', encryption },
    speed: 'standard',
  });
}

/** Submits a job that reads from a new storage provider. */
async function submitToProvider({ running }: ParallelStage, access: object): Promise<void> {
  const bucket = { kind: 's3', bucket: 'results', region: 'eu-central-1' };
  const provider = await running.api('POST', '/api/v1/storage-providers', { name: 'P', ...bucket, access });
  expect(provider.status).toBe(201);
  const { id } = provider.body as { id: string };
  const input = { storageProviderId: id, key: 'video.mp4' };
  const output = { format: 'json', storageProviderId: null };
  await submitJob(running.api, { input, output, recipe: { name: 'probe' } });
}
