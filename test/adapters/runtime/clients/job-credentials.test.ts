import { serialize } from 'node:v8';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { clientOptions, emulatorTraffic, startLambda } from '@media-jobs/local-stage/emulators';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { aProcessingJob } from '../../../builders/jobs/jobs.ts';

const hour = 3_600_000;
const minute = 60_000;
const job = aProcessingJob();
const { ownerId, jobId, leaseId } = job;

/** Whether the job's record still has the lease. */
let isHeld = true;
const requests: unknown[] = [];

beforeAll(async () => {
  const emulator = await startLambda(emulatorTraffic());
  emulator.serve({
    async invoke(_, event) {
      requests.push(event);
      const credentials = {
        accessKeyId: `session-${requests.length}`,
        secretAccessKey: 's',
        sessionToken: 't',
        expiration: new Date(Date.now() + hour),
      };
      const opened = { job: serialize(job).toString('base64'), credentials, providers: {} };
      return { ok: true, payload: JSON.stringify(isHeld ? opened : null) } as const;
    },
  });
  vi.stubEnv('OPEN_JOB_FUNCTION', 'open-job');
  // Tests of the same process may have imported the clients of another function.
  vi.resetModules();
  const lambda = new LambdaClient(clientOptions(emulator.endpoint));
  // Outside of a bundle, a client has no credentials of the environment.
  vi.doMock('../../../../adapters/runtime/clients/lambda.ts', () => ({ lambda }));
  return async () => {
    vi.unstubAllEnvs();
    lambda.destroy();
    await emulator.stop();
  };
});

it('a worker has newer credentials before its session ends while it holds the lease, and none after it was lost', async () => {
  const { openJob } = await import('../../../../adapters/runtime/open-job.ts');
  const { dynamo } = await import('../../../../adapters/runtime/clients/dynamo.ts');
  const signer = async () => (await dynamo.config.credentials()).accessKeyId;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());

  await expect(signer()).rejects.toThrow('This worker has no job');
  await openJob({ message: { ownerId, jobId } });
  vi.advanceTimersByTime(49 * minute);
  expect(await signer()).toBe('session-1');
  vi.advanceTimersByTime(2 * minute);
  // Clients that ask at the same time renew once.
  expect(await Promise.all([signer(), signer()])).toEqual(['session-2', 'session-2']);
  expect(requests).toEqual([{ message: { ownerId, jobId } }, { lease: { ownerId, jobId, leaseId } }]);

  isHeld = false;
  vi.advanceTimersByTime(49 * minute);
  expect(await signer()).toBe('session-2');
  vi.advanceTimersByTime(2 * minute);
  await expect(signer()).rejects.toThrow(`The lease of the job ${jobId} is lost`);
  expect(await openJob({ lease: { ownerId, jobId, leaseId } })).toBeUndefined();
});
