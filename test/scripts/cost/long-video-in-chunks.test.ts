import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { parallelTranscodeDefinition } from '../../../lib/state-machines/parallel-transcode.ts';
import { longVideoInChunks, secondsOf, transitionsOf } from '../../../scripts/cost/long-video-in-chunks.ts';
import { longVideoSteps } from '../../../scripts/cost/long-video-steps.ts';

describe('parts side by side', () => {
  it.each([
    ['as long as all of them, one by one', [30, 20, 10], 1, 60],
    ['as long as the longest, with a function for each', [30, 20, 10], 3, 30],
    ['each begun when another ends', [30, 20, 20, 10], 2, 40],
    ['longer where a long one begins last', [20, 20, 30], 2, 50],
  ])('take %s', (_, parts, atOnce, seconds) => {
    expect(secondsOf(parts, atOnce)).toBe(seconds);
  });
});

describe('a film in chunks', () => {
  it('is done sooner by more functions, for the same money', () => {
    const [few, many] = [longVideoInChunks(4), longVideoInChunks(16)];
    expect(many.minutes).toBeLessThan(few.minutes / 2);
    expect(many.dollars).toBe(few.dollars);
  });

  it('is never done before its preparation, its longest part and its join', () => {
    const { prepare, audio, join } = longVideoSteps(10_240);
    expect(longVideoInChunks(1000).minutes * 60).toBeCloseTo(prepare.seconds + audio.seconds + join.seconds);
  });

  it('costs a GB-second for each second of each GB, an invocation, a transition and a request', () => {
    const { chunks, ...functions } = longVideoSteps(10_240);
    const { prepare, chunk, audio, join } = functions;
    const all = [prepare, audio, join, ...Array.from({ length: chunks }, () => chunk)];
    const sum = (of: 'seconds' | 'gets' | 'puts') => all.reduce((total, step) => total + step[of], 0);
    const found = longVideoInChunks(8);
    expect(found.gbSeconds).toBeCloseTo(10 * sum('seconds'));
    expect(found.requests).toBe(sum('gets') + sum('puts'));
    expect(found.dollars).toBeCloseTo(
      found.gbSeconds * 0.0000133334 +
        sum('seconds') * 9.5 * 0.0000000309 +
        all.length * 0.0000002 +
        (chunks + 3) * 0.000025 +
        sum('gets') * 0.0000004 +
        sum('puts') * 0.000005,
      9,
    );
  });

  it('has no function that lives longer than it may', () => {
    const { chunks: _, ...functions } = longVideoSteps(10_240);
    for (const { seconds } of Object.values(functions)) expect(seconds).toBeLessThan(900);
  });

  it('passes as many states as the machine does', async () => {
    const definition = parallelTranscodeDefinition({ maxParallelChunks: 2, timeoutSeconds: 60 });
    const machine = new StateMachine(structuredClone(definition) as StateMachineDefinition, {
      validationOptions: { checkArn: false },
    });
    const done = async () => ({});
    // Three chunks and the sound.
    const { result, eventLogs } = machine.run(
      { ownerId: 'acme', jobId: 'job-1', leaseId: 'lease-1', planKey: 'plan', parts: [3, 2, 1, 0] },
      { overrides: { taskResourceLocalHandlers: { EncodeChunk: done, Join: done, GiveUp: done } } },
    );
    let entered = 0;
    for await (const { type } of eventLogs) if (type === 'StateEntered') entered += 1;
    await result;
    expect(transitionsOf({ chunks: 3 })).toBe(entered);
  });
});
