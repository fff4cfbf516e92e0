import { keptSubtitles } from '../../encoding/copy/copy-streams.ts';
import type { PendingPlan, Plan, PlanInput, PlannedOutput } from '../../encoding/plan.ts';
import { addOutputToError, JobError, prefixJobError } from '../../errors.ts';
import { copiedCodecs } from '../../media/codecs/copied-codecs.ts';
import type { Format, VideoFormat } from '../../media/formats.ts';
import type { JobWarning } from '../../media/outputs/work-result.ts';
import type { AudioStream, Probe, SubtitleStream } from '../../media/probe/probe.ts';
import { describeCodecs, isKnown, mainAudio, ownAudio } from '../../media/probe/streams.ts';
import { isTextTrack, subtitleTracks } from '../../media/probe/subtitles.ts';
import { dependsOnCaptions, findRecipe, planRecipe, type StoredRecipe } from '../registry.ts';
import { type Condition, runOrder } from './conditions.ts';
import { planFused } from './plan-fused.ts';

/**
 * One recipe of a job. The steps of a job are a graph, in an order in which each comes behind the one that it reads. A job
 * of one recipe has one step; in a pipeline each step reads the one before it.
 */
export type Step = {
  /** The output is delivered under this name. Without a name, only the next step reads it. */
  name?: string | undefined;
  recipe: StoredRecipe;
  format: Format;
  /** Only other steps read the output. */
  isIntermediate: boolean;
  /** The number of the step whose output it reads, from 0. Undefined: it reads the inputs of the job. */
  from?: number | undefined;
  /** Set in a job of several outputs, where each step makes the one of its name. */
  output?: { when?: Condition | undefined; isOptional: boolean } | undefined;
  /** A later step is one encode with it, and runs its recipe. */
  isAbsorbed?: true;
  /** The recipes of the steps before it that are one encode with it, and the number of the first of them, from 0. */
  earlier?: { index: number; recipes: readonly StoredRecipe[] };
};

export type StepContext = Pick<
  PlanInput<unknown>,
  'inputs' | 'assets' | 'canCompare' | 'fontsDirectory' | 'outputDirectory' | 'memory'
>;

/** @throws JobError `INPUT_UNSUPPORTED` if the recipe does not fit its input */
export function planStep(step: Step, context: StepContext): Plan | PendingPlan {
  const { recipe, format, isIntermediate, earlier } = step;
  const [first] = context.inputs;
  if (first === undefined) throw new TypeError('A step needs at least one input');
  const { path: inputPath, probe } = first;
  if (earlier) {
    const { index, recipes } = earlier;
    return planFused([...recipes, recipe], { ...context, probe, inputPath, format, isIntermediate, index });
  }
  const planAs = (chosen: Format) =>
    planRecipe(recipe, { ...context, probe, inputPath, format: chosen, isIntermediate });
  if (!isIntermediate || !copiesStreams(recipe) || format === 'mkv') return planAs(format);
  try {
    return planAs(format);
  } catch (cause) {
    if (!(cause instanceof JobError)) throw cause;
    // Matroska holds nearly every codec, and nobody asked for the container of an intermediate.
    return planAs('mkv');
  }
}

/** Whether a recipe writes the streams of its input without encoding, or fails. */
function copiesStreams(recipe: StoredRecipe): boolean {
  return recipe.name === 'remux' || (recipe.name === 'clip' && recipe.accuracy === 'keyframe');
}

/** Whether the result of a step from the number `from` on, counted from 0, depends on closed captions of its input. */
export function dependOnCaptions(steps: readonly Step[], from: number): boolean {
  return steps.slice(from).some(({ recipe }) => dependsOnCaptions(recipe));
}

/** Names a step of a pipeline to its owner, with those that are one encode with it. */
export function stepLabel(steps: readonly Pick<Step, 'recipe' | 'earlier'>[], index: number): string {
  const { recipe, earlier } = steps[index] ?? {};
  if (earlier === undefined) return `Step ${index + 1} (${recipe?.name})`;
  const names = [...earlier.recipes.map(({ name }) => name), recipe?.name];
  return `Steps ${earlier.index + 1} to ${index + 1} (${names.join(', ')})`;
}

/** Measurements as the job reports them: those of a pipeline with the name of their step, or its number. */
export function nameMeasurements(
  steps: readonly Pick<Step, 'name' | 'output'>[],
  index: number,
  measurements: Record<string, number> = {},
): Record<string, number> {
  if (isOfOneRecipe(steps)) return measurements;
  const step = steps[index]?.name ?? `step-${index + 1}`;
  return Object.fromEntries(Object.entries(measurements).map(([name, value]) => [`${step}.${name}`, value]));
}

/** Warnings as the job reports them: those of a pipeline name their step, those of an output its name. */
export function nameWarnings(
  steps: readonly Pick<Step, 'name' | 'recipe' | 'output' | 'earlier'>[],
  index: number,
  warnings: readonly JobWarning[] = [],
): readonly JobWarning[] {
  if (isOfOneRecipe(steps)) return warnings;
  const { name, output: ofOutput } = steps[index] ?? {};
  if (ofOutput !== undefined) return warnings.map((warning) => ({ ...warning, output: name }));
  const label = stepLabel(steps, index);
  return warnings.map(({ code, message, output = name }) => ({
    code,
    message: `${label}: ${message}`,
    ...(output === undefined ? {} : { output }),
  }));
}

function isOfOneRecipe([first, ...others]: readonly Pick<Step, 'output'>[]): boolean {
  return others.length === 0 && first?.output === undefined;
}

/** Names the step in an error of a job that has several, or the output. */
export function addStepToError(cause: unknown, steps: readonly Step[], index: number): unknown {
  const { name, output } = steps[index] ?? {};
  if (output !== undefined && name !== undefined) return addOutputToError(cause, name);
  const isNamed = cause instanceof JobError && /^Step \d+ \(/.test(cause.message);
  return isOfOneRecipe(steps) || isNamed ? cause : prefixJobError(cause, stepLabel(steps, index));
}

/**
 * An output as the job delivers it: the files of a named step lie in its folder, and its only file takes its name. In a job
 * of several outputs, the files of a set are named after both.
 */
export function nameOutput(
  { name, output: ofOutput }: Pick<Step, 'name' | 'output'>,
  output: PlannedOutput,
): PlannedOutput {
  if (name === undefined) return output;
  const isOnly = output.name === 'output';
  const ofSet = ofOutput === undefined ? output.name : `${name}/${output.name}`;
  return { ...output, folder: name, name: isOnly ? name : ofSet };
}

type StepRequest = { name?: string | undefined; recipe: StoredRecipe };

/**
 * Chooses the format of each step. The last step writes the format of the request. An earlier step writes the same
 * format if its recipe can, else the recipe's first. An intermediate uses a format that loses less or encodes faster;
 * `planStep` writes copied streams as mkv if this format cannot hold them.
 */
export function assignFormats(requests: readonly StepRequest[], lastFormat: Format): Step[] {
  return requests.map(({ name, recipe }, index) => {
    const isLast = index === requests.length - 1;
    const isIntermediate = !isLast && name === undefined;
    const format = isLast ? lastFormat : formatOfEarlierStep(recipe, { lastFormat, isIntermediate });
    return { name, recipe, format, isIntermediate, ...(index > 0 && { from: index - 1 }) };
  });
}

type OutputRequest = {
  from?: string | undefined;
  recipe: StoredRecipe;
  format: Format;
  when?: Condition | undefined;
  optional?: boolean | undefined;
  deliver?: boolean | undefined;
};

/** The steps of a job of several outputs, in the order in which they run. */
export function orderOutputs(outputs: Readonly<Record<string, OutputRequest>>): Step[] {
  const names = runOrder(outputs);
  return names.flatMap((name): Step[] => {
    const request = outputs[name];
    if (request === undefined) return [];
    const { from, recipe, format, when, optional: isOptional = false, deliver = true } = request;
    const reads = from === undefined ? {} : { from: names.indexOf(from) };
    return [{ name, recipe, format, isIntermediate: !deliver, ...reads, output: { when, isOptional } }];
  });
}

/**
 * The format of an intermediate, by the format of the request. MP4 stores exact timestamps; WebM and Matroska round
 * them, so the start would drift with every step. WebM cannot hold H.264, which encodes many times faster than VP9. PNG
 * is lossless.
 */
const intermediateFormats: { [format in Format]?: Format } = { webm: 'mp4', mkv: 'mp4', jpg: 'png', webp: 'png' };

function formatOfEarlierStep(
  request: StoredRecipe,
  { lastFormat, isIntermediate }: { lastFormat: Format; isIntermediate: boolean },
): Format {
  const recipe = findRecipe(request.name);
  if (recipe === undefined) throw new TypeError(`There is no recipe ${request.name}`);
  const formats: readonly Format[] = recipe.formats;
  const intermediate = intermediateFormats[lastFormat];
  // A codec that was requested for the format of the request may not fit another.
  const isFixed = 'codec' in recipe.parameters.shape;
  // MP4 holds fewer kinds of subtitles than MKV.
  const losesTracks = lastFormat === 'mkv' && copiesStreams(request);
  const canChange = isIntermediate && !isFixed && !losesTracks;
  if (canChange && intermediate !== undefined && formats.includes(intermediate)) return intermediate;
  return formats.includes(lastFormat) ? lastFormat : recipe.formats[0];
}

/**
 * Warnings of the tracks of an input that the result of a step lacks although its recipe keeps such tracks: all of a copy
 * and of a stream for players, one of any other video. Tracks that the request did not choose are none.
 */
export function droppedTracks({ recipe, format }: Pick<Step, 'recipe' | 'format'>, probe: Probe): JobWarning[] {
  const keepsAll = copiesStreams(recipe) || recipe.name === 'hls';
  const hasChoice = 'audioTracks' in recipe && recipe.audioTracks !== undefined;
  const isVideo = isVideoFormat(format) || format === 'm3u8';
  const keepsAudio = isVideo && recipe.name !== 'mute' && !hasChoice;
  const isSilent = mainAudio(probe) === undefined;
  return [
    ...(keepsAudio && (keepsAll || isSilent) ? droppedAudio(probe) : []),
    ...(keepsAll ? droppedSubtitles(probe, format) : []),
    ...(keepsAll || recipe.name === 'extract-subtitles' ? guessedLanguages(probe) : []),
  ];
}

/** Of one track, its language does not matter to anybody who chooses a track. */
function guessedLanguages(probe: Probe): JobWarning[] {
  const kinds = { Audio: ownAudio(probe), Subtitle: subtitleTracks(probe) };
  return Object.entries(kinds).flatMap(([kind, tracks]) =>
    tracks.flatMap(({ languageGuess, languageTag, language }, number) => {
      if (languageGuess === undefined || tracks.length === 1) return [];
      const message = `The language of ${kind.toLowerCase()} track ${number} is taken for ${languageTag ?? language}: ${languageGuess}`;
      return { code: 'LANGUAGE_GUESSED', message };
    }),
  );
}

function isVideoFormat(format: Format): format is VideoFormat {
  return format in copiedCodecs;
}

function droppedAudio(probe: Probe): JobWarning[] {
  return ownAudio(probe).flatMap((track, number) => {
    if (isKnown(track)) return [];
    const message = `${label('Audio', number, track)} is left out: it is ${describeCodecs([track])}`;
    return { code: 'TRACK_DROPPED', message };
  });
}

function droppedSubtitles(probe: Probe, format: Format): JobWarning[] {
  const kept = isVideoFormat(format) ? keptSubtitles(probe, format) : subtitleTracks(probe).filter(isTextTrack);
  return subtitleTracks(probe).flatMap((track, number) => {
    if (kept.includes(track)) return [];
    const message = `${label('Subtitle', number, track)} is left out: ${format} cannot hold ${track.codec}`;
    return { code: 'SUBTITLE_DROPPED', message };
  });
}

function label(kind: string, number: number, { language, codec }: AudioStream | SubtitleStream): string {
  return `${kind} track ${number} (${language ?? 'no language'}, ${codec})`;
}

/** Warnings of an input of a step, by its probe: what the result lacks of it, and that its end is missing. */
export function stepWarnings(step: Pick<Step, 'recipe' | 'format'>, probe: Probe): JobWarning[] {
  const message =
    'The input is damaged: it ends within a packet, so it was cut off, and how many frames are missing is unknown';
  return [...droppedTracks(step, probe), ...(probe.isCutOff ? [{ code: 'INPUT_DAMAGED' as const, message }] : [])];
}
