import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { JobError } from '@media-jobs/video/errors';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTaskMessage, type TaskCallbackDeps } from '../../../core/chunked/run-task-message.ts';
import { later } from '../../builders/jobs/jobs.ts';

const message = { taskToken: 'token', receiptHandle: 'receipt', receiveCount: 1 };

let done: unknown[][];
let deps: TaskCallbackDeps;

beforeEach(() => {
  done = [];
  deps = {
    queue: {
      hide: async (...call) => void done.push(['hide', ...call]),
      remove: async (...call) => void done.push(['remove', ...call]),
      send: async (...call) => void done.push(['send', ...call]),
    },
    callbacks: {
      succeed: async (...call) => void done.push(['succeed', ...call]),
      fail: async (...call) => void done.push(['fail', ...call]),
    },
    clock: aVirtualClock(later(0)),
  };
});

const without = (name: string) => done.filter(([call]) => call !== name);

describe('a task of the state machine', () => {
  it('is answered with success, and its message is left to the event source mapping', async () => {
    expect(await runTaskMessage(deps, message, async () => 'done')).toBe('done');
    expect(without('hide')).toEqual([['succeed', 'token']]);
  });

  it('keeps its message hidden for a minute at a time until it ends', async () => {
    const slept: number[] = [];
    const ended = Promise.withResolvers<void>();
    deps.clock.sleep = async (milliseconds) => {
      slept.push(milliseconds);
      if (slept.length === 3) ended.resolve();
    };
    await runTaskMessage(deps, message, () => ended.promise);
    expect(slept.slice(0, 3)).toEqual([20_000, 20_000, 20_000]);
    expect(done.filter(([call]) => call === 'hide').slice(0, 3)).toEqual([
      ['hide', 'receipt', 60],
      ['hide', 'receipt', 60],
      ['hide', 'receipt', 60],
    ]);
  });

  it.each([
    ['a permanent error', new JobError('TRANSCODE_ERROR', 'bad', { retryable: false }), 'EncodingFailed'],
    ['a transient error', new Error('bad'), 'TaskFailed'],
  ])('is answered with the name that the state machine retries or not: %s', async (_, cause, name) => {
    const failing = runTaskMessage(deps, message, () => Promise.reject(cause));
    await expect(failing).rejects.toBe(cause);
    expect(without('hide')).toEqual([
      ['fail', 'token', { name, message: 'bad' }],
      ['remove', 'receipt'],
    ]);
  });

  it('stays in the queue if its failure cannot be answered', async () => {
    deps.callbacks.fail = () => Promise.reject(new Error('unavailable'));
    const failing = runTaskMessage(deps, message, () => Promise.reject(new Error('bad')));
    await expect(failing).rejects.toThrow('unavailable');
    expect(without('hide')).toEqual([]);
  });

  it('stays in the queue if its success cannot be answered', async () => {
    deps.callbacks.succeed = () => Promise.reject(new Error('unavailable'));
    await expect(runTaskMessage(deps, message, async () => 'done')).rejects.toThrow('unavailable');
    expect(without('hide')).toEqual([]);
  });

  it('whose second run was started leaves its failure to that', async () => {
    const secondRun = { start: async () => undefined, isStarted: () => true };
    const failing = runTaskMessage(deps, { ...message, secondRun }, () => Promise.reject(new Error('slow')));
    await expect(failing).rejects.toThrow('slow');
    expect(without('hide')).toEqual([['remove', 'receipt']]);
  });

  it('whose function has died four times is given up', async () => {
    const again = { ...message, receiveCount: 5 };
    expect(await runTaskMessage(deps, again, () => Promise.reject(new Error('not run')))).toBe('abandoned');
    expect(done).toEqual([['fail', 'token', expect.objectContaining({ name: 'TaskLost' })]]);
  });

  it('runs although its message cannot be hidden', async () => {
    deps.queue.hide = () => Promise.reject(new Error('unavailable'));
    expect(await runTaskMessage(deps, message, async () => 'done')).toBe('done');
  });
});
