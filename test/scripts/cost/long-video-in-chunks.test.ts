import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import {
  maxMapConcurrency,
  parallelInListsDefinition,
} from '../../../lib/state-machines/parallel-in-lists.ts';
import { parallelTranscodeDefinition } from '../../../lib/state-machines/parallel-transcode.ts';
import { carriedGb, chunksOf, longVideoSteps } from '../../../scripts/cost/long-video.ts';
import { longVideoInChunks, secondsOf, transitionsOf } from '../../../scripts/cost/long-video-in-chunks.ts';

const large = (executions: number) => ({ memoryMb: 10_240, executions });

describe('concurrent tasks', () => {
  it.each([
    ['as long as all of them, one by one', [30, 20, 10], 1, 60],
    ['as long as the longest, with a function for each', [30, 20, 10], 3, 30],
    ['each begun when another ends', [30, 20, 20, 10], 2, 40],
    ['longer where a long one begins last', [20, 20, 30], 2, 50],
  ])('take %s', (_, durations, concurrency, seconds) => {
    expect(secondsOf(durations, concurrency)).toBe(seconds);
  });
});

describe('a long video in chunks', () => {
  it('takes less time with more functions, at the same cost', () => {
    const [few, many] = [longVideoInChunks(large(4)), longVideoInChunks(large(16))];
    expect(many.minutes).toBeLessThan(few.minutes / 2);
    expect(many.dollars).toBe(few.dollars);
  });

  it('takes at least as long as its preparation, its longest chunk task and its join', () => {
    const { prepare, chunk, join } = longVideoSteps(large(1000));
    const { minutes } = longVideoInChunks(large(1000));
    expect(minutes * 60).toBeCloseTo(prepare.seconds + chunk.seconds + join.seconds);
  });

  it('takes a minute at most with 200 functions, for at most a dollar', () => {
    const { chunks, minutes, dollars } = longVideoInChunks(large(200));
    expect(chunks).toBe(200);
    expect(minutes).toBeLessThan(1);
    expect(dollars).toBeLessThan(1);
  });

  it('is cut as finely on a small stage as on one of 40 functions', () => {
    expect([2, 4, 8, 40].map((executions) => chunksOf({ executions }))).toEqual([152, 152, 152, 152]);
  });

  it('moves only chunks that are too small for S3 to copy', () => {
    expect(carriedGb(0.5, 120)).toBe(0.5);
    expect(carriedGb(0.7, 120)).toBe(0);
  });

  it('costs a GB-second for each second of each GB, an invocation, a transition and a request', () => {
    const { prepare, chunk, join, chunks } = longVideoSteps(large(8));
    const repeated = <Step>(count: number, step: Step) => Array.from({ length: count }, () => step);
    const all = [prepare, join, ...repeated(chunks, chunk)];
    const sum = (key: 'seconds' | 'gets' | 'puts') => all.reduce((total, step) => total + step[key], 0);
    const found = longVideoInChunks(large(8));
    expect(found.gbSeconds).toBeCloseTo(10 * sum('seconds'));
    expect(found.s3Requests).toBe(sum('gets') + sum('puts'));
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

  it('has no function that exceeds the time limit of Lambda', () => {
    const { chunks: _, ...functions } = longVideoSteps(large(8));
    for (const { seconds } of Object.values(functions)) expect(seconds).toBeLessThan(900);
  });

  it.each([
    ['one Map', 2],
    ['a Map of Maps', 41],
  ])('counts as many transitions as the state machine makes of %s', async (_, executions) => {
    const machineSettings = { maxParallelChunks: executions, timeoutSeconds: 60 };
    const definition =
      executions <= maxMapConcurrency
        ? parallelTranscodeDefinition(machineSettings)
        : parallelInListsDefinition(machineSettings);
    const machine = new StateMachine(structuredClone(definition) as StateMachineDefinition, {
      validationOptions: { checkArn: false },
    });
    const done = async () => ({});
    const { result, eventLogs } = machine.run(
      {
        ownerId: 'acme',
        jobId: 'job-1',
        leaseId: 'lease-1',
        planKey: 'plan',
        group: 'acme#0',
        first: [],
        chunks: [2, 1, 0].map((chunk) => ({ chunk, group: 'acme#0' })),
      },
      {
        context: { Task: { Token: 'token' } },
        overrides: { taskResourceLocalHandlers: { EncodeChunk: done, Join: done, RetryOrFail: done } },
      },
    );
    let entered = 0;
    for await (const { type } of eventLogs) if (type === 'StateEntered') entered += 1;
    await result;
    expect(transitionsOf({ chunks: 3, executions })).toBe(entered);
  });
});
