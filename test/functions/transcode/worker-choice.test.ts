import { lambdaSlowness } from '@media-jobs/video/cost-model';
import { JobError } from '@media-jobs/video/errors';
import type { Probe } from '@media-jobs/video/probe';
import { totalCost, validatePipeline } from '@media-jobs/video/recipes';
import { anAudioStream, aProbe, aVideoStream } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { fargateComputer } from '../../../core/pricing/fargate-computer.ts';
import { memoryOfPlan, requireThisWorker } from '../../../functions/transcode/choose-single-pass-worker.ts';
import { OtherWorkerError } from '../../../functions/transcode/other-worker.ts';
import type { RemoteSource } from '../../../functions/transcode/remote-source.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { workerDeps } from '../../builders/jobs/worker-deps.ts';
import { somePricedWorkers } from '../../builders/pricing/priced-workers.ts';

const mb = 2 ** 20;
const fargate = { vcpus: 4, memoryMb: 8192, storageGb: 100, hasPublicAddress: true };

/** The worker of a single pass on a stage on arm64 with 3,008 MB, with 13 minutes left. */
function chosen(
  probe: Probe,
  request: Partial<JobRequestRecord>,
  { hasFargate = false, remoteBytes }: { hasFargate?: boolean; remoteBytes?: number },
): string {
  const slowness = lambdaSlowness.arm64;
  const computer = fargateComputer(somePricedWorkers({ slowness, ...(hasFargate && { fargate }) }));
  const deps = workerDeps({
    memory: { sizeBytes: 3008 * mb, cpuCount: 2 },
    processors: { count: 1.7, slowness },
    fargate: computer && { ...computer, machine: memoryJobStateMachine(), maxSeconds: 12 * 3_600 },
  });
  const steps = readSteps({ ...aProcessingJob().request, ...request });
  const inputs = [{ path: '/tmp/a/input', probe }];
  const fetched = {
    inputs,
    assets: steps.map(() => ({})),
    canCompare: true,
    inputSizeBytes: remoteBytes ?? probe.sizeBytes,
    ...(remoteBytes && { remoteSource: { remote: { sizeBytes: remoteBytes } } as RemoteSource }),
  };
  try {
    const memory = memoryOfPlan(deps, steps, fetched);
    const cost = totalCost(validatePipeline(steps, { ...fetched, memory }));
    requireThisWorker(
      deps,
      { deadline: later(800_000) },
      { steps, fetched, cost, reason: 'In a single pass' },
    );
    return 'usual';
  } catch (error) {
    if (error instanceof OtherWorkerError) return described(error);
    if (error instanceof JobError) return error.code;
    throw error;
  }
}

/** The other worker, and what decided for it. */
function described({ otherWorker: { name, reason } }: OtherWorkerError): string {
  const [, why = reason] = /(memory|function would take|disk)/.exec(reason) ?? [];
  return `${name}: ${why === 'function would take' ? 'time' : why}`;
}

type Video = Parameters<typeof aVideoStream>[0];

function video(durationSeconds: number, megabitsPerSecond: number, stream: Video): Probe {
  return aProbe([aVideoStream({ durationSeconds, ...stream }), anAudioStream({ durationSeconds })], {
    durationSeconds,
    sizeBytes: (durationSeconds * megabitsPerSecond * 1e6) / 8,
  });
}

const hd = { width: 1920, height: 1080, framesPerSecond: 25 };
const uhd60 = { width: 3840, height: 2160, framesPerSecond: 60, codec: 'h264' };
const eightK = { width: 7680, height: 4320, framesPerSecond: 25, codec: 'hevc', bitDepth: 10 };
const compress = { recipe: { name: 'compress' } };
const encode = (codec: string, preset = 'medium') => ({ recipe: { name: 'transcode', codec, preset } });

it.each<[string, Probe, Partial<JobRequestRecord>, string, string]>([
  ['a minute of 1080p in H.264', video(60, 3, hd), compress, 'usual', 'usual'],
  ['too long for a function', video(300, 8, hd), compress, 'INPUT_TOO_LONG', 'fargate: time'],
  ['too long for a function by far', video(1500, 8, hd), compress, 'INPUT_TOO_LONG', 'fargate: time'],
  ['fit for a function with fewer buffered frames', video(5, 40, uhd60), encode('av1'), 'usual', 'usual'],
  ['8K in H.264', video(10, 80, eightK), encode('h264'), 'INPUT_TOO_LARGE', 'fargate: memory'],
  ['too large for any worker', video(10, 80, eightK), encode('h265'), 'INPUT_TOO_LARGE', 'INPUT_TOO_LARGE'],
])('%s, alone and with Fargate', (_, probe, request, alone, withFargate) => {
  expect(chosen(probe, request, {})).toBe(alone);
  expect(chosen(probe, request, { hasFargate: true })).toBe(withFargate);
});

it('a source that is still to be downloaded takes time from the work', () => {
  const [probe, workers] = [video(230, 3, hd), { hasFargate: true }];
  expect(chosen(probe, compress, workers)).toBe('usual');
  expect(chosen(probe, compress, { ...workers, remoteBytes: 8e9 })).toBe('fargate: time');
});
