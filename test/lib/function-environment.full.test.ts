import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeAll, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { bundle } from '../../lib/build/bundle.ts';
import { entries } from '../../lib/build/entries.ts';
import { root } from '../../lib/build/paths.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
const buckets = [{ name: 'team', bucket: 'team-media', access: 'read-write' as const }];
const output = { storageProviderId: 'bucket:team', key: 'out/{source}/{name}.{extension}' };
const watches = [{ name: 'films', bucket: 'team', prefix: 'raw/', preset: 'stream', output }];
const { service } = synthesizedStage({ contracts, settings: { fargate, playback: { edge: true }, buckets, watches } });
let bundles: string;

beforeAll(async () => {
  bundles = await aTemporaryFolder();
  await bundle({ root, entries: entries(contracts), outDirectory: bundles });
  // Stands beside the code of a function, as an asset of the stage.
  await writeFile(join(bundles, 'watches.json'), '[]');
});

/** Variables that Lambda sets. */
const runtimeEnvironment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_LAMBDA_FUNCTION_NAME: 'function',
};

type Variable = { Name: string; Value: unknown };

/** The environment of the Fargate task, with the job that the state machine adds. */
function taskEnvironment(): Record<string, string> {
  const [task] = Object.values(service.findResources('AWS::ECS::TaskDefinition'));
  const variables: Variable[] = task?.Properties.ContainerDefinitions[0].Environment;
  const job = { OWNER_ID: 'owner', JOB_ID: 'job', LEASE_ID: 'lease' };
  return { ...sampled(Object.fromEntries(variables.map(({ Name, Value }) => [Name, Value]))), ...job };
}

/** The environment of a function in the template. */
function environmentOf(name: string): Record<string, string> {
  if (name === 'fargate-task') return taskEnvironment();
  const [lambda] = Object.values(
    service.findResources('AWS::Lambda::Function', { Properties: { FunctionName: `media-jobs-test-${name}` } }),
  );
  return sampled(lambda?.Properties.Environment.Variables);
}

/** References are replaced by sample values. */
function sampled(variables: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([key, value]) => {
      if (typeof value === 'string') return [key, value];
      return [key, key.endsWith('_URL') ? 'https://sqs.eu-central-1.amazonaws.com/1/queue' : resolved(value)];
    }),
  );
}

/** Text with each reference in it replaced, so that JSON stays JSON. */
function resolved(value: unknown): string {
  const [, parts] = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'] ?? ['', [value]];
  return parts.map((part) => (typeof part === 'string' ? part : 'resolved')).join('');
}

it.each(entries(contracts))('the environment in the template is all that $name needs to start', async ({ name }) => {
  const file = `${bundles}/${name}/index.js`;
  // The program of a Fargate task exports nothing: it begins with its job once it is loaded.
  const isTask = name === 'fargate-task';
  const load = isTask
    ? `require('${file}'); process.exit(0)`
    : `if (typeof require('${file}').handler !== 'function') process.exit(2)`;
  const started = promisify(execFile)(process.execPath, ['-e', load], {
    // The launcher is a program of the image.
    env: { ...runtimeEnvironment, LAMBDA_TASK_ROOT: bundles, ...environmentOf(name), LAUNCHER_DIRECTORY: '' },
  });
  await expect(started).resolves.toBeDefined();
});
