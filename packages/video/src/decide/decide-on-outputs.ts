import { addOutputToError, JobError } from '../errors.ts';
import { endReaders } from '../recipes/graph/forecast-graph.ts';
import type { Step } from '../recipes/graph/steps.ts';
import type { Decision } from './decide-work.ts';
import type { WorkForecast } from './steps-in-chunks.ts';

/**
 * Decides on all steps of a job. Optional outputs that no worker can end fail, the dearest first, until workers can end the
 * others. Returns the forecast without them.
 */
export function decideOnOutputs<Forecast extends WorkForecast>(
  steps: readonly Step[],
  forecast: Forecast,
  decide: (forecast: Forecast) => Decision,
): { forecast: Forecast; decision: Decision } {
  const decision = decide(forecast);
  if (!('reject' in decision)) return { forecast, decision };
  const dearest = forecast.steps.toSorted((one, other) => other.cost.cpuSeconds - one.cost.cpuSeconds);
  const given = dearest.find(({ index }) => isOptional(steps, index));
  const error = addOutputToError(decision.reject, steps[given?.index ?? 0]?.name ?? '');
  if (given === undefined || !(error instanceof JobError)) return { forecast, decision };
  const ended = endReaders(steps, new Map(forecast.ended).set(given.index, { is: 'failed', error }));
  const left = forecast.steps.filter(({ index }) => !ended.has(index));
  return decideOnOutputs(steps, { ...forecast, steps: left, ended }, decide);
}

/** Whether a job may do without an output and all that is made of it. */
function isOptional(steps: readonly Step[], index: number): boolean {
  const readers = [...steps.keys()].filter((reader) => steps[reader]?.from === index);
  return steps[index]?.output?.isOptional === true && readers.every((reader) => isOptional(steps, reader));
}
