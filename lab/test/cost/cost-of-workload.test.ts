import { describe, expect, it } from 'vitest';
import { sumOfParts } from '../../../core/pricing/cost-of-job.ts';
import { callsOfJob, costOfCalls } from '../../../core/pricing/per-job.ts';
import { defaultPrices, dollarsOf } from '../../../core/pricing/region-prices.ts';
import { recipeCost } from '../../cost/recipe-forecast.ts';
import { costOfWorkload } from '../../cost/tables.ts';
import { defaultWorkload as defaults, expectedUseOf } from '../../cost/workload.ts';

const defaultWorkload = { ...defaults, architecture: 'arm64' } as const;

describe('the time of a job', () => {
  it('follows from the given encode speed', () => {
    const { seconds, chunks } = expectedUseOf({ ...defaultWorkload, minutesPerJob: 4, encodeSpeed: 2 });
    expect(seconds).toBeCloseTo(120, 6);
    expect(chunks).toBe(1);
  });

  it('on one vCPU of arm64 is 1.3 times its CPU time, 0.7 seconds and the upload', () => {
    const workload = { ...defaultWorkload, resolution: '480p', minutesPerJob: 1, memoryMb: 1769 } as const;
    const { cpuSeconds, outputBytes } = recipeCost({ resolution: '480p', durationSeconds: 60 });
    expect(expectedUseOf(workload).seconds).toBeCloseTo(1.3 * cpuSeconds + 0.7 + outputBytes / 75e6, 6);
  });

  it('is shorter with more memory', () => {
    const aMinute = { ...defaultWorkload, minutesPerJob: 1 };
    expect(expectedUseOf({ ...aMinute, memoryMb: 10_240 }).seconds).toBeLessThan(expectedUseOf(aMinute).seconds / 3);
  });

  it('is that of chunks where a stage with default settings encodes in chunks', () => {
    const { seconds, workerSeconds, chunks, executions } = expectedUseOf(defaultWorkload);
    expect({ chunks, executions }).toEqual({ chunks: 6, executions: 1 });
    expect(seconds).toBeLessThan(workerSeconds);
  });
});

describe('the cost of a job', () => {
  const aMinuteOfWork = { ...defaultWorkload, minutesPerJob: 1, encodeSpeed: 1, memoryMb: 1024 };

  it('contains a GB-second for each second of a worker with 1 GB, and of open-job, and two invocations', () => {
    const { transcoding } = costOfWorkload({ ...aMinuteOfWork, architecture: 'x86_64' });
    expect(transcoding).toBeCloseTo(60.1 * 0.0000166667 + 2 * 0.0000002, 12);
  });

  it('is a fifth less for transcoding on arm64', () => {
    const [arm, x86] = (['arm64', 'x86_64'] as const).map(
      (architecture) => costOfWorkload({ ...aMinuteOfWork, architecture }).transcoding,
    );
    expect((arm ?? 0) / (x86 ?? 0)).toBeCloseTo(0.8, 3);
  });

  it('contains a read every 2 s, a write every 4 s, and two of the index `due` every 20 s', () => {
    const [short, long] = [1, 2].map((minutesPerJob) => costOfWorkload({ ...aMinuteOfWork, minutesPerJob }).records);
    expect((long ?? 0) - (short ?? 0)).toBeCloseTo((30 * 0.125 + (15 + 3 * 2) * 0.625) / 1e6, 12);
  });

  it('contains every call of a job, including heartbeats and two reads', () => {
    const { create, work, heartbeat, deliver, read } = callsOfJob;
    const heartbeats = Array.from({ length: 15 }, () => heartbeat);
    const calls = [create, work, deliver, read, read, ...heartbeats];
    const renewals = (15 * 0.125 + (3 + 1) * 2 * 0.625) / 1e6;
    const { transcoding, api, records, webhook, files } = costOfWorkload({
      ...aMinuteOfWork,
      retentionDays: 0,
    });
    const gbSeconds = 60 + 3 * 0.1 + 0.1 + 0.5;
    const prices = dollarsOf(defaultPrices);
    expect(transcoding + api + records + webhook + files).toBeCloseTo(
      calls.reduce((all, each) => all + costOfCalls(each, prices), gbSeconds * 0.0000133334 + renewals),
      12,
    );
  });

  it('contains a put for each part of a large result, and two to create and complete it', () => {
    const kept = { ...aMinuteOfWork, retentionDays: 0 };
    // 2 Mbit/s: 15.3 MB in one, and 76.3 MB in five parts of 16 MiB.
    expect(costOfWorkload(kept).files).toBeCloseTo(0.000005, 12);
    expect(costOfWorkload({ ...kept, minutesPerJob: 5 }).files).toBeCloseTo(7 * 0.000005, 12);
  });

  it('grows by nine cents per GB and the calls of a download with each', () => {
    const [none, once] = [0, 1].map((downloads) => costOfWorkload({ ...aMinuteOfWork, downloads }).files);
    const bytes = recipeCost({ resolution: '1080p', durationSeconds: 60 }).outputBytes;
    expect((once ?? 0) - (none ?? 0)).toBeCloseTo((bytes / 1e9) * 0.09 + (1 + 1 + 0.2 + 0.125 + 0.4) / 1e6, 12);
  });

  it.each([
    ['disk', 60 * 9.5 * 0.0000000309],
    ['api', 3 * (0.000002 + 0.0000002 + 0.1 * 0.0000133334)],
    ['webhook', 0.0000002 + 0.5 * 0.0000133334 + 0.000001],
    ['logs', 0.000012 * 0.5],
    ['traces', 6 * 0.000005],
  ] as const)('is for %s what its prices make', (part, dollars) => {
    expect(costOfWorkload(aMinuteOfWork)[part]).toBeCloseTo(dollars, 12);
  });

  it('is the sum of its components', () => {
    const parts = costOfWorkload(aMinuteOfWork);
    const { transcoding, disk, api, records, webhook, files, logs, traces } = parts;
    expect(sumOfParts(parts)).toBeCloseTo(transcoding + disk + api + records + webhook + files + logs + traces, 12);
  });
});
