import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { bundle } from '../../lib/build/bundle.ts';
import { entries } from '../../lib/build/entries.ts';
import { root } from '../../lib/build/paths.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const { service } = synthesizedStage({ contracts });
let bundles: string;

beforeAll(async () => {
  bundles = await mkdtemp(path.join(tmpdir(), 'media-jobs-environment-'));
  await bundle({ root, entries: entries(contracts), outDirectory: bundles });
});
afterAll(() => rm(bundles, { recursive: true }));

/** Variables that Lambda sets. */
const runtimeEnvironment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_LAMBDA_FUNCTION_NAME: 'function',
};

/** The environment of a function in the template, with references replaced by sample values. */
function environmentOf(name: string): Record<string, string> {
  const [lambda] = Object.values(
    service.findResources('AWS::Lambda::Function', {
      Properties: { FunctionName: `media-jobs-test-${name}` },
    }),
  );
  const variables: Record<string, unknown> = lambda?.Properties.Environment.Variables;
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

describe('the environment in the template', () => {
  it.each(entries(contracts))('is all that $name needs to start', { timeout: 20_000 }, async ({ name }) => {
    const load = `if (typeof require('${bundles}/${name}/index.js').handler !== 'function') process.exit(2)`;
    const started = promisify(execFile)(process.execPath, ['-e', load], {
      env: { ...runtimeEnvironment, ...environmentOf(name) },
    });
    await expect(started).resolves.toBeDefined();
  });
});
