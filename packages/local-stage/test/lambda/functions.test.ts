import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { describe, expect, it } from 'vitest';
import { type Functions, stageFunctions } from '../../src/lambda/functions.ts';
import { aFunction } from '../builders/a-function.ts';
import { endpoints } from '../builders/endpoints.ts';

type Concurrency = { accountConcurrency?: number; reserved?: number };

/** The functions `first` and `second`; `first` has the reserved concurrency. */
async function twoFunctions({ accountConcurrency, reserved }: Concurrency): Promise<Functions> {
  const source = 'exports.handler = async ({ url }) => { if (url) await fetch(url); return "done" }';
  const first = await aFunction(source, { name: 'first', reservedConcurrency: reserved });
  const second = await aFunction(source, { name: 'second' });
  const temporaryDirectory = await aTemporaryFolder();
  const functions = stageFunctions([first, second], {
    endpoints,
    temporaryDirectory,
    accountConcurrency,
    log: () => undefined,
  });
  afterUse(() => functions.stop());
  return functions;
}

const throttled = { status: 'rejected', reason: { name: 'TooManyRequestsException', message: 'Rate Exceeded.' } };
const ended = { status: 'fulfilled', value: { ok: true, payload: '"done"' } };

describe('concurrent executions', () => {
  it('of the account are shared by all functions', async () => {
    const { invoke } = await twoFunctions({ accountConcurrency: 2 });
    const outcomes = ['first', 'second', 'first', 'second'].map((name) => invoke(name, {}));
    expect(await Promise.allSettled(outcomes)).toMatchObject([ended, ended, throttled, throttled]);
    expect(await invoke('second', {})).toMatchObject({ ok: true });
  });

  it('that are reserved for a function are its limit, and no other function can use them', async () => {
    const { invoke } = await twoFunctions({ accountConcurrency: 101, reserved: 1 });
    const [first, second] = await Promise.allSettled([invoke('first', {}), invoke('first', {})]);
    expect([first, second]).toMatchObject([ended, throttled]);
  });

  it('cannot be reserved in a new account', async () => {
    await expect(twoFunctions({ accountConcurrency: 10, reserved: 1 })).rejects.toThrow(
      "Specified ReservedConcurrentExecutions for function first decreases account's " +
        'UnreservedConcurrentExecution below its minimum value of [10]. The account has 10.',
    );
  });

  it('are free again when a sandbox dies', async () => {
    const { invoke, kill } = await twoFunctions({ accountConcurrency: 1 });
    const { origin: url } = await aWebServer(() => undefined);
    const hanging = invoke('first', { url });
    await expect(invoke('second', {})).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    await kill();
    expect(await hanging).toMatchObject({ ok: false });
    expect(await invoke('second', {})).toMatchObject({ ok: true });
  });
});

it('a function whose image is pending is rejected until the image is there', async () => {
  const { invoke, makePending } = await twoFunctions({});
  const end = makePending('first');
  await expect(invoke('first', {})).rejects.toMatchObject({ name: 'CodeArtifactUserPendingException' });
  expect(await invoke('second', {})).toMatchObject({ ok: true });
  end();
  expect(await invoke('first', {})).toMatchObject({ ok: true });
});
