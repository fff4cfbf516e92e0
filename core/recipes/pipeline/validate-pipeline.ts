import type { MediaFile, PlannedOutput } from '../../encoding/plan.ts';
import { JobError, prefixJobError } from '../../errors.ts';
import { formats } from '../../media/formats.ts';
import type { Probe, Stream } from '../../media/probe/probe.ts';
import { isAnimatedWebp, mainAudio, mainVideo } from '../../media/probe/streams.ts';
import { planStep, type Step, type StepContext } from './steps.ts';

type Files = Pick<StepContext, 'inputs' | 'filters'> & {
  /** Of each step. */
  assets: readonly StepContext['assets'][];
};

/** Nothing is read or written yet. */
const nowhere = { fontsDirectory: '.', outputDirectory: '.' };

/**
 * Plans every step before anything is encoded, each on what the one before it promises, so that a step that cannot
 * follow is refused at once.
 * @throws JobError `INPUT_UNSUPPORTED` that names the step
 */
export function validatePipeline(steps: readonly Step[], { inputs, assets, filters }: Files): void {
  let files = inputs;
  for (const [index, step] of steps.entries()) {
    try {
      const place = { inputs: files, assets: assets[index] ?? {}, filters, ...nowhere };
      const { outputs } = planStep(step, place);
      if (index === steps.length - 1) refuseNames(steps, outputs);
      else files = [promised(outputs, step, files)];
    } catch (cause) {
      throw addStepToError(cause, steps, index);
    }
  }
}

/** The same error, saying in a job of several steps which one it is about. */
export function addStepToError(cause: unknown, steps: readonly Step[], index: number): unknown {
  if (steps.length === 1) return cause;
  return prefixJobError(cause, `Step ${index + 1} (${steps[index]?.recipe.name})`);
}

/** A step may name its one output; several have names of their own, which no other output may have. */
function refuseNames(steps: readonly Step[], outputs: readonly PlannedOutput[]): void {
  const last = steps.at(-1);
  const isOne = outputs.length === 1 && outputs[0]?.name === 'output';
  if (isOne || last === undefined) return;
  if (last.name !== undefined) {
    refuse(`${last.recipe.name} makes files with names of their own: leave out the name of the step`);
  }
  const taken = outputs.find(({ name }) => steps.some((step) => step.name === name));
  if (taken)
    refuse(`${last.recipe.name} makes a file called ${taken.name}, which is the name of another step`);
}

/** The file that the next step will find, as far as the plan of this one tells. */
function promised(
  outputs: readonly PlannedOutput[],
  { recipe }: Step,
  [before]: readonly MediaFile[],
): MediaFile {
  const [output] = outputs;
  if (output?.name !== 'output' || output.expectation === undefined || before === undefined) {
    const made = output?.name === 'output' ? `a ${output.format} file` : 'several files';
    refuse(`${recipe.name} makes ${made}, and no step can follow it`);
  }
  const probe = promisedProbe(output, before.probe);
  if (isAnimatedWebp(probe)) {
    refuse(`${recipe.name} makes an animation that cannot be decoded, and no step can follow it`);
  }
  return { path: output.filename, probe };
}

function promisedProbe({ format, expectation = {} }: PlannedOutput, before: Probe): Probe {
  const { durationSeconds, video, audio } = expectation;
  const lasting = durationSeconds === undefined ? {} : { durationSeconds };
  const { framesPerSecond } = mainVideo(before) ?? {};
  const { channels = 2, sampleRateHz = 48_000 } = mainAudio(before) ?? {};
  const picture: Omit<Extract<Stream, { kind: 'video' }>, 'index'> | undefined = video && {
    kind: 'video',
    isDefault: true,
    startSeconds: 0,
    ...lasting,
    ...video,
    rotation: 0,
    pixelAspect: 1,
    bitDepth: 8,
    isInterlaced: false,
    isAttachedPicture: false,
    ...(framesPerSecond === undefined || durationSeconds === undefined ? {} : { framesPerSecond }),
  };
  const sound: Omit<Extract<Stream, { kind: 'audio' }>, 'index'> | undefined = audio && {
    kind: 'audio',
    isDefault: true,
    startSeconds: 0,
    ...lasting,
    ...audio,
    channels,
    sampleRateHz,
  };
  const streams = [picture, sound].filter((stream) => stream !== undefined);
  const container = formats[format].muxer ?? format;
  return {
    container,
    sizeBytes: 0,
    ...lasting,
    streams: streams.map((stream, index) => ({ index, ...stream })),
  };
}

function refuse(message: string): never {
  throw new JobError('INPUT_UNSUPPORTED', message);
}
