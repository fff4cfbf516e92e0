import { cpusOf, functionMemory, lambdaSlowness } from '@media-jobs/video/cost-model';
import { decideOnOutputs, staysInPlace, transferSeconds } from '@media-jobs/video/decide';
import { JobError } from '@media-jobs/video/errors';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { assumedProbe, maxDownloadBytes, type Probe } from '@media-jobs/video/probe';
import { anAudioStream, aProbe, aVideoStream } from '@media-jobs/video/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { estimateJob, workStage } from '../../../core/pricing/estimate.ts';
import { fargateComputer, type PricedWorkers } from '../../../core/pricing/fargate-computer.ts';
import { decide, forecastJob } from '../../../functions/transcode/forecast.ts';
import { beginSteps, type RemoteSource } from '../../../functions/transcode/graph-state.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { workerContext, workerPorts } from '../../builders/jobs/worker-ports.ts';
import { somePricedWorkers } from '../../builders/pricing/priced-workers.ts';

const fargate = { vcpus: 4, memoryMb: 8192, storageGb: 100, hasPublicAddress: true, maxHours: 12 };

/** A stage on arm64 with 3,008 MB. */
const aStage = (differences: Partial<PricedWorkers> = {}) =>
  somePricedWorkers({ slowness: lambdaSlowness.arm64, ...differences });

/** Who does each step, or the code of the rejection. */
type Answer = (string | null)[] | string;

function answerOf(cause: unknown): string {
  if (cause instanceof JobError) return cause.code;
  throw cause;
}

type Choice = { probe: Probe; request: Partial<JobRequestRecord>; workers: PricedWorkers };

function estimated({ probe, request, workers }: Choice): Answer {
  const steps = readSteps({ ...aProcessingJob().request, ...request });
  const { speed = 'standard' } = request;
  const inputs = [{ path: 'input', probe }];
  try {
    return estimateJob({ steps, inputs, assets: steps.map(() => ({})), speed }, workers).workers;
  } catch (cause) {
    return answerOf(cause);
  }
}

/** What the function decides that has fetched the source in the usual time, and the reason of the first pass. */
async function decided({ probe, request, workers }: Choice): Promise<{ answer: Answer; reason: string }> {
  const { memoryMb, slowness } = workers;
  const computer = fargateComputer(workers);
  const deps = workerPorts({
    memory: functionMemory(memoryMb),
    processors: { count: cpusOf(memoryMb), slowness },
    chunking: workers.chunking,
    money: { workers },
    maxDownloadBytes,
    fargate: computer && { ...computer, machine: memoryJobStateMachine() },
  });
  const bytes = probe.sizeBytes;
  const isInPlace = staysInPlace({ inputs: 1, bytes }, workStage(workers));
  const seconds = workStage(workers).function.maxSeconds - (isInPlace ? 0 : transferSeconds(bytes));
  const job = aProcessingJob({ request: { ...aProcessingJob().request, ...request } });
  const context = workerContext({ job, deadline: later(seconds * 1_000) });
  const steps = readSteps(job.request);
  const fetched = {
    inputs: [{ path: '/tmp/a/input', probe }],
    assets: steps.map(() => ({})),
    canCompare: true,
    downloaded: [{ name: 'input', bytes }],
    inputSizeBytes: bytes,
    ...(isInPlace && { remoteSource: { remote: { sizeBytes: bytes } } as RemoteSource }),
  };
  const remaining = { steps, fetched, workspace: {} as Workspace };
  try {
    const forecast = await forecastJob(deps, context, remaining);
    const state = beginSteps(remaining);
    const { decision } = decideOnOutputs(steps, forecast.work, (work) =>
      decide(deps, context, { forecast: { ...forecast, work }, state: { ...state, ended: work.ended } }),
    );
    if ('reject' in decision) throw decision.reject;
    const answer = decision.flatMap(({ kind, from, to }) => Array.from({ length: to - from }, () => kind));
    return { answer, reason: decision[0]?.reason ?? '' };
  } catch (cause) {
    return { answer: answerOf(cause), reason: String(cause) };
  }
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
const encode = (codec: string) => ({ recipe: { name: 'transcode', codec } });
const prores = { ...encode('prores'), output: { format: 'mov' } } as const;
const audio: Partial<JobRequestRecord> = {
  mode: 'pipeline',
  output: { format: 'm4a' },
  steps: [{ recipe: { name: 'extract-audio' } }, { recipe: { name: 'normalize-audio' } }],
};
const outputs = (archive: object): Partial<JobRequestRecord> => ({
  mode: 'outputs',
  recipe: undefined,
  output: undefined,
  outputs: {
    poster: { recipe: { name: 'thumbnail' }, format: 'jpg' },
    archive: { ...encode('prores'), format: 'mov', ...archive },
    proxy: { from: 'archive', ...compress, format: 'mp4', optional: true },
  },
});
const ofBytes = (sizeBytes: number) => ({ ...video(600, 8, hd), sizeBytes });

describe.each<[string, Probe, Partial<JobRequestRecord>, { alone: Answer; fargate: Answer; why?: RegExp }]>([
  ['a minute of 1080p', video(60, 3, hd), compress, { alone: ['function'], fargate: ['function'] }],
  ['half an hour of 1080p', video(1500, 8, hd), compress, { alone: ['chunks'], fargate: ['chunks'] }],
  [
    'what cannot be split and is too long for a function',
    video(1500, 8, hd),
    prores,
    { alone: 'INPUT_TOO_LONG', fargate: ['task'], why: /ProRes|prores|function would take/ },
  ],
  [
    'an optional output, and one of it, that no function can end, beside a poster',
    video(1500, 8, hd),
    outputs({ optional: true }),
    { alone: ['function'], fargate: ['task', 'task', 'task'] },
  ],
  [
    'a required output that no function can end, beside a poster',
    video(1500, 8, hd),
    outputs({}),
    { alone: 'INPUT_TOO_LONG', fargate: ['task', 'task', 'task'] },
  ],
  [
    'five seconds of 2160p60 in AV1: fits a function with fewer buffered frames',
    video(5, 40, uhd60),
    encode('av1'),
    { alone: ['function'], fargate: ['function'] },
  ],
  [
    'ten seconds of 8K in H.264',
    video(10, 80, eightK),
    encode('h264'),
    { alone: 'INPUT_TOO_LARGE', fargate: ['task'], why: /memory/ },
  ],
  [
    'ten seconds of 8K in H.265, for which no worker has the memory',
    video(10, 80, eightK),
    encode('h265'),
    { alone: 'INPUT_TOO_LARGE', fargate: 'INPUT_TOO_LARGE' },
  ],
  ...[5.1e9, 6e9, 8e9].map(
    (bytes) =>
      [
        `two steps on ${bytes} bytes, which leave a function no disk for what is between them`,
        ofBytes(bytes),
        audio,
        { alone: 'INPUT_TOO_LARGE', fargate: ['task', 'task'], why: /disk/ },
      ] as [string, Probe, Partial<JobRequestRecord>, { alone: Answer; fargate: Answer; why: RegExp }],
  ),
  [
    'two steps on 4.9 GB',
    ofBytes(4.9e9),
    audio,
    { alone: ['function', 'function'], fargate: ['function', 'function'] },
  ],
  [
    'more than the disk of any worker',
    ofBytes(95e9),
    { recipe: { name: 'extract-audio' }, output: { format: 'm4a' } },
    { alone: 'INPUT_TOO_LARGE', fargate: 'INPUT_TOO_LARGE' },
  ],
])('%s', (_, probe, request, expected) => {
  it.each([
    ['alone', aStage()],
    ['fargate', aStage({ fargate })],
  ] as const)('on a stage %s: the estimate and the worker', async (name, workers) => {
    const choice = { probe, request, workers };
    const { answer, reason } = await decided(choice);
    expect({ estimate: estimated(choice), worker: answer }).toEqual({
      estimate: expected[name],
      worker: expected[name],
    });
    if (expected.why && name === 'fargate') expect(reason).toMatch(expected.why);
  });
});

const recipes = fc.constantFrom(
  ...[{ name: 'compress' }, { name: 'mute' }, { name: 'resize', width: 640 }, { name: 'remux' }],
  ...[{ name: 'transcode', codec: 'av1' }, { name: 'clip', start: 1, end: 40 }, { name: 'normalize-audio' }],
);
const jobs = fc.record({
  steps: fc.array(recipes, { minLength: 1, maxLength: 3 }),
  durationSeconds: fc.integer({ min: 1, max: 20_000 }),
  height: fc.constantFrom(360, 1080, 2160),
  sizeBytes: fc.constantFrom(1e6, 9e7, 1.2e8, 4.9e9, 5.1e9, 8.9e9, 9.1e9, 4e10),
  speed: fc.constantFrom('standard' as const, 'fast' as const),
});
const stages = fc.record({
  memoryMb: fc.constantFrom(1769, 3008, 10_240),
  slowness: fc.constantFrom(0.5, 1.3, 5),
  vcpus: fc.constantFrom(undefined, 1, 16),
  maxHours: fc.constantFrom(1, 12),
});

it('the worker of the estimate is the worker of the job, and what is rejected has no price', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, stages, async ({ steps, speed, height, ...source }, { vcpus, maxHours, ...stage }) => {
      const tasks = { ...fargate, vcpus: vcpus ?? 1, memoryMb: 2048 * (vcpus ?? 1), maxHours };
      const workers = aStage({ ...stage, ...(vcpus && { fargate: tasks }) });
      const probe = assumedProbe({ width: Math.round((height * 16) / 9), height, ...source });
      const request = {
        mode: 'pipeline' as const,
        output: { format: 'mp4' as const },
        steps: steps.map((recipe) => ({ recipe })),
        speed,
      };
      const choice = { probe, request, workers };
      // A step that is one encode with a later one has no worker of its own.
      const answer = estimated(choice);
      const ofSteps = Array.isArray(answer) ? answer.filter((worker) => worker !== null) : answer;
      expect(ofSteps).toEqual((await decided(choice)).answer);
    }),
    { numRuns: 400 },
  );
});
