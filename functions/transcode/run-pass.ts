import { expectedSeconds } from '@media-jobs/video/cost-model';
import type { WorkPass } from '@media-jobs/video/decide';
import { executePlan, type MediaFile, withInputOptions } from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import { recordRuns, type Workspace } from '@media-jobs/video/ffmpeg';
import { damageOfRuns, damageWarnings, explainByDamage, type JobWarning, joinWarnings } from '@media-jobs/video/media';
import {
  addStepToError,
  dependOnCaptions,
  endReaders,
  nameMeasurements,
  nameOutput,
  nameWarnings,
  planStep,
  readBy,
  type Step,
  stepWarnings,
  totalCost,
} from '@media-jobs/video/recipes';
import { encodedFraction } from '../../core/jobs/progress.ts';
import { describeOutputs, measureOutputs, storeOutputs, withFiles } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { taskRunner, type WorkerContext } from '../../core/worker/worker-context.ts';
import type { Attempt } from './attempt.ts';
import { learnFromJob, reportChunking, timeRuns } from './forecast.ts';
import {
  type FetchedInputs,
  type GraphState,
  isLast,
  type JobForecast,
  recorded,
  stepAt,
  withIntermediate,
} from './graph-state.ts';
import { downloadSource } from './remote-source.ts';

/** Runs the steps of a single pass, and learns from their time. `waits-for-limit`: as many long jobs run as may run. */
export async function runPass(
  { deps, context, longLimit }: Attempt,
  { forecast, state, pass }: { forecast: JobForecast; state: GraphState; pass: WorkPass },
): Promise<GraphState | 'waits-for-limit'> {
  reportPass(context, { forecast, state, pass });
  const { work, table } = forecast;
  const cost = totalCost(work.steps.filter(({ index }) => index >= pass.from && index < pass.to));
  const local = state.fetched.remoteSource ? await downloadSource(deps, context, { state, pass }) : state;
  const limit = await longLimit?.expectSeconds(expectedSeconds(cost, deps.processors));
  if (limit === 'full') return 'waits-for-limit';
  const { encoder, seconds } = timeRuns(deps.media, deps.clock);
  const ran = await runStepsUntil({ ...deps, media: encoder }, context, local, pass.to);
  if (deps.kind === 'function') await learnFromJob(deps, context.job, { cost, table, seconds: seconds() });
  return ran;
}

export function reportPass(
  context: WorkerContext,
  { forecast, state: { steps }, pass }: { forecast: JobForecast; state: GraphState; pass: WorkPass },
): void {
  if (!tellsWhy(forecast, pass)) return;
  reportChunking(context, { steps, index: pass.step }, { chunks: 1, reason: pass.reason });
}

/** Whether the job tells why a pass is not in chunks: of each video, and of any other job that requests speed. */
function tellsWhy({ work: { steps }, limits }: JobForecast, { kind, from, to, step, reason }: WorkPass): boolean {
  if (kind !== 'function') return false;
  const [first, ...others] = steps;
  if (limits.singlePass?.get(step) === reason) return true;
  if (others.length === 0 && first?.chunkable !== undefined) return true;
  const isWhole = from === first?.index && to === (steps.at(-1)?.index ?? 0) + 1;
  return isWhole && limits.speed === 'fast';
}

/** Runs the next steps up to the one with the number `to`, and stores the outputs of each that others follow. */
export async function runStepsUntil(
  deps: JobPorts,
  context: WorkerContext,
  state: GraphState,
  to: number,
): Promise<GraphState> {
  let current = state;
  while (current.index < to) {
    const { index, ended } = current;
    if (ended.has(index) || stepAt(current).isAbsorbed) current = { ...current, index: index + 1 };
    else current = await runNext(deps, context, current);
  }
  return current;
}

/** Runs the next step and records it. An optional output that fails ends with those that read it. */
async function runNext(deps: JobPorts, context: WorkerContext, state: GraphState): Promise<GraphState> {
  const { steps, index, fetched, made, ended } = state;
  const startedMs = deps.clock.now().getTime();
  const inputs = readBy(stepAt(state), { inputs: fetched.inputs, made });
  const ran = await runStep(deps, context, { ...state, inputs }).catch((error: unknown) =>
    failedStep(context, state, error),
  );
  if (ran instanceof JobError) {
    const failed = new Map([...ended, [index, { is: 'failed', error: ran } as const]]);
    return keep(context, { ...state, index: index + 1, ended: endReaders(steps, failed) });
  }
  const next = timed(withResult(state, ran), stepAt(state), deps.clock.now().getTime() - startedMs);
  const done = isLast(state)
    ? { ...next, outputs: [...state.outputs, ...ran.outputs] }
    : await storeNamed(deps, context, next, ran);
  await removeUnread(done, { index, inputs, ran });
  return isLast(state) ? done : keep(context, done);
}

/** The error of an optional output, which the job survives. Any other error is thrown. */
function failedStep({ signal }: WorkerContext, state: GraphState, error: unknown): JobError {
  const isOwn = error instanceof JobError && error.code !== 'COST_LIMIT' && !signal.aborted;
  if (isOwn && stepAt(state).output?.isOptional) return error;
  throw error;
}

/** Adds the result of a step to those before it. */
function withResult(state: GraphState, { measurements, warnings, output }: StepResult): GraphState {
  const { index, made, result } = state;
  const allMeasurements = { ...result.measurements, ...measurements };
  const allWarnings = joinWarnings(result.warnings, warnings);
  return {
    ...state,
    index: index + 1,
    made: output === undefined ? made : new Map([...made, [index, output]]),
    result: {
      ...result,
      ...(Object.keys(allMeasurements).length > 0 && { measurements: allMeasurements }),
      ...(allWarnings.length > 0 && { warnings: allWarnings }),
    },
  };
}

function timed(state: GraphState, { name, output }: Step, ms: number): GraphState {
  if (output === undefined || name === undefined) return state;
  const { outputMs } = state.result;
  return { ...state, result: { ...state.result, outputMs: { ...outputMs, [name]: (outputMs?.[name] ?? 0) + ms } } };
}

/** Stores the outputs of the named step that has just run: the job delivers them, or later steps read them. */
async function storeNamed(
  deps: JobPorts,
  context: WorkerContext,
  state: GraphState,
  { outputs }: StepResult,
): Promise<GraphState> {
  const index = state.index - 1;
  const { name, isIntermediate } = stepAt({ ...state, index });
  if (name === undefined) return state;
  // The progress of the encoding counts.
  const unseen = { ...context, report: () => undefined };
  const files = await storeOutputs(deps, unseen, describeOutputs(deps, context, outputs));
  const [only] = Object.values(files);
  const completed = isIntermediate ? state.completed : withFiles(state.completed, files);
  const isRead = only !== undefined && state.made.has(index);
  return { ...state, completed: isRead ? withIntermediate(completed, index, only) : completed };
}

/** Removes what no step reads any more. What the job delivers and is not stored yet stays. */
async function removeUnread(
  state: GraphState,
  { index, inputs, ran }: { index: number; inputs: readonly MediaFile[]; ran: StepResult },
): Promise<void> {
  const { steps, ended, workspace } = state;
  const isRead = (source: number | undefined) =>
    steps.some(({ from }, reader) => reader > index && from === source && !ended.has(reader));
  const step = steps[index];
  if (step !== undefined && !isRead(step.from)) for (const { path } of inputs) await workspace.removePath(path);
  const isStored = state.outputs.length === 0 && step?.name !== undefined;
  if (isStored && !isRead(index)) for (const { path } of ran.outputs) await workspace.removePath(path);
}

/** Records the steps that are completed, as far as the bucket has what later ones read. */
function keep(context: WorkerContext, state: GraphState): GraphState {
  const { steps, index, shares } = state;
  const completed = recorded(state);
  const fraction = encodedFraction({ shares, count: steps.length }, { index, fraction: 0 });
  const isChanged = completed.count > state.completed.count;
  context.report({ stage: 'transcoding', fraction, ...(isChanged && { completedSteps: completed }) });
  return { ...state, completed };
}

/** A step of a job, on files that are on this disk. */
export type StepToRun = {
  steps: readonly Step[];
  /** The number of the step, from 0. */
  index: number;
  inputs: readonly MediaFile[];
  fetched: Pick<FetchedInputs, 'assets' | 'canCompare'>;
  workspace: Workspace;
  /** The shares of the steps in the work. */
  shares?: readonly number[] | undefined;
};

type StepResult = {
  outputs: readonly MeasuredOutput[];
  measurements: Record<string, number>;
  warnings: readonly JobWarning[];
  /** The output, probed as an input of the steps that read it. Undefined if none does. */
  output: MediaFile | undefined;
};

/** Runs a step. Its errors name it. */
async function runStep(deps: JobPorts, context: WorkerContext, run: StepToRun): Promise<StepResult> {
  const { steps, index, inputs, workspace } = run;
  const { encoder, runs } = recordRuns(deps.media);
  const damage = () => inputs.flatMap((source) => damageOfRuns(runs, source));
  try {
    const directory = await workspace.makeDirectory(`step-${index + 1}`);
    const step = stepAt(run);
    const { assets, canCompare } = run.fetched;
    const ofStep = assets[index] ?? {};
    if (ofStep instanceof Error) throw ofStep;
    const { fontsDirectory, memory } = deps;
    const stepContext = { inputs, assets: ofStep, canCompare, fontsDirectory, memory, outputDirectory: directory };
    const planned = planStep(step, stepContext);
    const position = { index, shares: run.shares, count: steps.length, directory };
    context.report({ stage: 'transcoding', fraction: encodedFraction(position, { index, fraction: 0 }) });
    const plan = await executePlan(
      planned,
      withInputOptions(taskRunner({ ...deps, media: encoder }, context, position), inputs),
    );
    const dropped = inputs.flatMap(({ probe }) => stepWarnings(step, probe));
    const all = [...(plan.warnings ?? []), ...dropped, ...damageWarnings([...damage(), ...(plan.damage ?? [])])];
    const written = { folder: step.name, outputs: plan.outputs, directory, workspace };
    const measured = await measureOutputs(deps, context, written);
    return {
      outputs: measured.map((output) => ({ ...output, planned: nameOutput(step, output.planned) })),
      measurements: nameMeasurements(steps, index, plan.measurements),
      warnings: nameWarnings(steps, index, all),
      output: await probeForReaders(deps, context, { steps, index, measured }),
    };
  } catch (cause) {
    throw addStepToError(explainByDamage(cause, damage()), steps, index);
  }
}

/** Probes the output of a step as an input of the steps that read it. */
async function probeForReaders(
  { media }: JobPorts,
  { signal }: WorkerContext,
  { steps, index, measured: [output] }: { steps: readonly Step[]; index: number; measured: readonly MeasuredOutput[] },
): Promise<MediaFile | undefined> {
  if (output === undefined || !steps.some(({ from }) => from === index)) return undefined;
  const { path } = output;
  const readsCaptions = dependOnCaptions(steps, index + 1);
  return { path, probe: await media.probe(path, { signal, readsCaptions }) };
}
