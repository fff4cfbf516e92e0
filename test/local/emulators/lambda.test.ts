import { LambdaClient } from '@aws-sdk/client-lambda';
import { clientOptions, emulatorTraffic, startLambda } from '@media-jobs/local-stage/emulators';
import { InvocationError } from '@media-jobs/local-stage/lambda';
import { expect, it, onTestFinished, vi } from 'vitest';
import { invoke } from '../../../adapters/runtime/open-job.ts';

const functions = {
  async invoke(name: string, event: unknown, { traceHeader }: { traceHeader?: string | undefined } = {}) {
    if (name === 'traced') return { ok: true, payload: JSON.stringify(traceHeader) } as const;
    if (name === 'busy') throw new InvocationError('TooManyRequestsException', 'Rate exceeded');
    if (name === 'broken') return { ok: false, error: { errorType: 'Error', errorMessage: 'no disk' } } as const;
    return { ok: true, payload: JSON.stringify({ name, event }) } as const;
  },
};

async function invoked(name: string): Promise<unknown> {
  const emulator = await startLambda(emulatorTraffic());
  onTestFinished(emulator.stop);
  emulator.serve(functions);
  const client = new LambdaClient({ ...clientOptions(emulator.endpoint), maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return invoke(client, name, { a: 1 });
}

it('a function is invoked with the event, and its answer returned', async () => {
  expect(await invoked('echo')).toEqual({ name: 'echo', event: { a: 1 } });
});

it('an invocation goes on with the chain of the function that sends it', async () => {
  const header = 'Root=1-abc;Sampled=0;Lineage=ff:3';
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'transcode');
  vi.stubEnv('_X_AMZN_TRACE_ID', header);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await invoked('traced')).toBe(header);
});

it.each([
  ['a function that fails', 'broken', /broken failed: no disk/],
  ['a function without free concurrency', 'busy', /Rate exceeded/],
])('%s is an error', async (_, name, message) => {
  await expect(invoked(name)).rejects.toThrow(message);
});
