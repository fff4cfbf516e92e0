import type { CostTable } from '../../cost-model/cost-table.ts';
import { type PlanCost, planCost } from '../../cost-model/plan-cost.ts';
import type { MediaFile, PlannedOutput } from '../../encoding/plan.ts';
import { JobError, prefixJobError } from '../../errors.ts';
import { formats } from '../../media/formats.ts';
import type { Probe, Stream } from '../../media/probe/probe.ts';
import { isAnimatedWebp, mainAudio, mainVideo } from '../../media/probe/streams.ts';
import { planStep, type Step, type StepContext } from './steps.ts';

export type PipelineFiles = Pick<StepContext, 'inputs' | 'canCompare' | 'memory'> & {
  /** The assets of each step. */
  assets: readonly StepContext['assets'][];
  table?: CostTable | undefined;
};

/** Placeholders: nothing is read or written yet. */
const unusedDirectories = { fontsDirectory: '.', outputDirectory: '.' };

/**
 * Plans every step before anything is encoded, each on the expected output of the step before it. A step that cannot
 * follow is rejected at once instead of after the encodes before it. Returns the estimated cost of all steps.
 * @throws JobError `INPUT_UNSUPPORTED` or, for lack of memory, `INPUT_TOO_LARGE`, that names the step
 */
export function validatePipeline(
  steps: readonly Step[],
  { inputs, assets, canCompare, memory, table }: PipelineFiles,
): PlanCost {
  let files = inputs;
  const total = {
    ...{ cpuSeconds: 0, serialSeconds: 0, finalCpuSeconds: 0, codecCpuSeconds: 0 },
    ...{ outputBytes: 0, copiedBytes: 0, encoders: new Set<string>() },
  };
  for (const [index, step] of steps.entries()) {
    try {
      const context = {
        inputs: files,
        assets: assets[index] ?? {},
        canCompare,
        memory,
        ...unusedDirectories,
      };
      const plan = planStep(step, context);
      const { outputs } = plan;
      const cost = planCost(plan, [...files, ...Object.values(context.assets)], table);
      total.cpuSeconds += cost.cpuSeconds;
      total.serialSeconds += cost.serialSeconds;
      total.finalCpuSeconds += cost.finalCpuSeconds;
      total.codecCpuSeconds += cost.codecCpuSeconds;
      for (const encoder of cost.encoders) total.encoders.add(encoder);
      if (!step.isIntermediate) {
        total.outputBytes += cost.outputBytes;
        total.copiedBytes += cost.copiedBytes;
      }
      if (index === steps.length - 1) rejectNameConflicts(steps, outputs);
      else files = [expectedFile(outputs, step, files, cost)];
    } catch (cause) {
      throw addStepToError(cause, steps, index);
    }
  }
  return total;
}

/** Names the step in an error of a job that has several. */
export function addStepToError(cause: unknown, steps: readonly Step[], index: number): unknown {
  if (steps.length === 1) return cause;
  return prefixJobError(cause, `Step ${index + 1} (${steps[index]?.recipe.name})`);
}

/** A step can name a single output. Several outputs have names of their own, which no other step may use. */
function rejectNameConflicts(steps: readonly Step[], outputs: readonly PlannedOutput[]): void {
  const last = steps.at(-1);
  const isSingle = outputs.length === 1 && outputs[0]?.name === 'output';
  if (isSingle || last === undefined) return;
  if (last.name !== undefined) {
    reject(`${last.recipe.name} names its files itself: leave out the name of the step`);
  }
  const conflict = outputs.find(({ name }) => steps.some((step) => step.name === name));
  if (conflict) {
    reject(`${last.recipe.name} makes a file called ${conflict.name}, which is the name of another step`);
  }
}

/** The expected output of a step, as the input of the next. */
function expectedFile(
  outputs: readonly PlannedOutput[],
  { recipe }: Step,
  [input]: readonly MediaFile[],
  { outputBytes }: PlanCost,
): MediaFile {
  const [output] = outputs;
  if (output?.name !== 'output' || output.expectation === undefined || input === undefined) {
    const result = output?.name === 'output' ? `a ${output.format} file` : 'several files';
    reject(`${recipe.name} makes ${result}, which no step can follow`);
  }
  const probe = { ...expectedProbe(output, input.probe), sizeBytes: Math.round(outputBytes) };
  if (isAnimatedWebp(probe)) {
    reject(`${recipe.name} makes an animation that cannot be decoded, so no step can follow`);
  }
  return { path: output.filename, probe };
}

function expectedProbe({ format, expectation = {} }: PlannedOutput, inputProbe: Probe): Probe {
  const { durationSeconds, video, audio } = expectation;
  const { framesPerSecond } = mainVideo(inputProbe) ?? {};
  const { channels = 2, sampleRateHz = 48_000 } = mainAudio(inputProbe) ?? {};
  const videoStream: Omit<Extract<Stream, { kind: 'video' }>, 'index'> | undefined = video && {
    kind: 'video',
    isDefault: true,
    startSeconds: 0,
    durationSeconds,
    ...video,
    rotation: 0,
    pixelAspect: 1,
    bitDepth: 8,
    isInterlaced: false,
    isAttachedPicture: false,
    framesPerSecond: durationSeconds === undefined ? undefined : framesPerSecond,
  };
  const audioStream: Omit<Extract<Stream, { kind: 'audio' }>, 'index'> | undefined = audio && {
    kind: 'audio',
    isDefault: true,
    startSeconds: 0,
    durationSeconds,
    ...audio,
    channels,
    sampleRateHz,
  };
  const streams = [videoStream, audioStream].filter((stream) => stream !== undefined);
  const container = formats[format].muxer ?? format;
  return {
    container,
    sizeBytes: 0,
    durationSeconds,
    streams: streams.map((stream, index) => ({ index, ...stream })),
  };
}

function reject(message: string): never {
  throw new JobError('INPUT_UNSUPPORTED', message);
}
