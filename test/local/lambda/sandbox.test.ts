import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { roleCredentials } from '@media-jobs/local-stage/permissions';
import { aPoolOf, endpoints, payloadOf } from '@media-jobs/local-stage/testing';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

it('a function sees its own variables, those of Lambda and the emulators, and none of this machine', async () => {
  const pool = await aPoolOf('exports.handler = async () => process.env', { environment: { TABLE_NAME: 'jobs' } });
  vi.stubEnv('OF_THIS_MACHINE', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const environment = await payloadOf(pool);
  expect(environment).toMatchObject({
    TABLE_NAME: 'jobs',
    AWS_LAMBDA_FUNCTION_NAME: 'a-function',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SFN: endpoints.sfn,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    AWS_ENDPOINT_URL_STS: endpoints.sts,
  });
  expect(environment).not.toHaveProperty('OF_THIS_MACHINE');
});

it('a function gets the context of its invocation', async () => {
  const pool = await aPoolOf(
    'exports.handler = async (event, { getRemainingTimeInMillis, ...context }) => ({ context, left: getRemainingTimeInMillis() })',
  );
  const { context, left } = (await payloadOf(pool)) as { context: unknown; left: number };
  expect(context).toMatchObject({
    functionName: 'a-function',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:a-function',
    memoryLimitInMB: '128',
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(20_000);
});

it('a function has a heap in proportion to its memory', async () => {
  const pool = await aPoolOf('exports.handler = async () => process.execArgv', { memoryMb: 1000 });
  expect(await payloadOf(pool)).toContain('--max-old-space-size=900');
});

it.runIf(process.platform === 'linux')(
  "the workers' image keeps the credentials from /proc/<pid>/environ, which ffmpeg could read",
  async () => {
    const read = `require('node:child_process').execFileSync('/bin/cat', ['/proc/' + process.pid + '/environ'], { env: {} })`;
    const source = `exports.handler = async () => [process.env.AWS_ACCESS_KEY_ID, ${read}.toString()]`;
    const code = { packageType: 'Image', directory: await aTemporaryFolder(), handler: 'index.handler' } as const;
    await writeFile(join(code.directory, 'index.js'), source);
    const { accessKeyId } = roleCredentials('arn:aws:iam::000000000000:role/a-role');
    expect(await payloadOf(await aPoolOf('', { code }))).toEqual([accessKeyId, expect.stringContaining(accessKeyId)]);
    for (const file of ['start.sh', 'take-credentials.cjs']) {
      await copyFile(join(root, 'functions/transcode', file), join(code.directory, file));
    }
    const [found, environ] = (await payloadOf(await aPoolOf('', { code }))) as string[];
    expect(found).toBe(accessKeyId);
    expect(environ).toContain('AWS_REGION=');
    expect(environ).not.toMatch(/ASIA|AWS_(ACCESS|SECRET|SESSION)/);
  },
);

it('an exception is reported with type and message, and the sandbox survives', async () => {
  const pool = await aPoolOf(
    'exports.handler = async (bad) => { if (bad) throw new RangeError("too far"); return process.pid }',
  );
  const pid = await payloadOf(pool, false);
  const result = await pool.invoke(true);
  expect(result).toMatchObject({ ok: false, error: { errorType: 'RangeError', errorMessage: 'too far' } });
  expect(await payloadOf(pool, false)).toBe(pid);
});

it('a function that cannot be loaded is reported', async () => {
  const result = await (await aPoolOf('throw new TypeError("broken bundle")')).invoke({});
  expect(result).toMatchObject({ ok: false, error: { errorType: 'TypeError', errorMessage: 'broken bundle' } });
});

it('a missing handler is reported', async () => {
  const result = await (await aPoolOf('exports.other = 1')).invoke({});
  expect(result).toMatchObject({ ok: false, error: { errorType: 'Runtime.HandlerNotFound' } });
});

it('a function whose process exits is reported', async () => {
  const result = await (await aPoolOf('exports.handler = async () => process.exit(7)')).invoke({});
  expect(result).toMatchObject({
    ok: false,
    error: {
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Runtime exited with error: exit status 7$/),
    },
  });
});

it('an unhandled rejection is reported', async () => {
  const pool = await aPoolOf(
    'exports.handler = () => { Promise.reject(new Error("dropped")); return new Promise(() => {}) }',
  );
  expect(await pool.invoke({})).toMatchObject({
    ok: false,
    error: { errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: 'dropped' },
  });
});
