import type { JobResource } from '@media-jobs/core/api';
import type { Comparison } from '@media-jobs/video/recipes';
import { labelFromCode } from '../format/labels.ts';
import { formatDateTime } from '../format/time.ts';
import { distinctFiles } from './distinct-files.ts';

export const stageLabels: Record<JobResource['stage'], string> = {
  queued: 'Queued',
  validating: 'Validating',
  downloading: 'Downloading',
  probing: 'Inspecting',
  transcoding: 'Encoding',
  uploading: 'Uploading',
  done: 'Done',
};

export function stageLabel({ state, stage }: JobResource): string {
  return state === 'queued' ? 'Waiting for a worker' : stageLabels[stage];
}

type TaskRequest = {
  output?: { format: string } | undefined;
  recipe?: { name: string } | undefined;
  steps?: readonly { recipe: { name: string } }[] | undefined;
  outputs?: Readonly<Record<string, { recipe: { name: string } }>> | undefined;
};

/** Recipes and format of a job: `Compress to mp4`, `Clip, compress to mp4` for a pipeline, `Hls, thumbnail` for outputs. */
export function taskLabel({ request }: { request: TaskRequest }): string {
  const { output, recipe, steps, outputs = {} } = request;
  const names =
    recipe === undefined ? (steps ?? Object.values(outputs)).map((each) => each.recipe.name) : [recipe.name];
  const label = labelFromCode(names.join(', '));
  return output === undefined ? label : `${label} to ${output.format}`;
}

/** What an economy job may wait for, and how long; undefined for other jobs. */
export function economyLabel({ state, request: { speed, finishBy } }: JobResource): string | undefined {
  if (speed !== 'economy') return undefined;
  if (finishBy !== undefined) return `Economy, to end by ${formatDateTime(finishBy)}`;
  return state === 'queued' ? 'Economy: may wait for cheap capacity, 72 hours at most' : 'Economy';
}

/** The size of all output files in bytes; undefined if there are none. */
export function totalOutputBytes(job: JobResource): number | undefined {
  const sizes = Object.values(distinctFiles(job)).map(({ size_mbytes }) => size_mbytes);
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0) * 1_000_000;
}

/** The size change from input to output; undefined unless the result is a video or comparable with its input. */
export function sizeChangeLabel(job: JobResource, comparison: Comparison): string | undefined {
  const { inputSizeBytes, output_files: files } = job;
  const bytes = totalOutputBytes(job);
  const replacesInput = files?.output?.file_type === 'video' || comparison !== 'none';
  if (!replacesInput || bytes === undefined || inputSizeBytes === undefined) return undefined;
  return formatSizeChange(inputSizeBytes, bytes);
}

/** The size of an output relative to its input: `−62%`, or `+4%` if it grew; undefined for an empty input. */
export function formatSizeChange(inputBytes: number, outputBytes: number): string | undefined {
  if (inputBytes <= 0) return undefined;
  const percent = Math.round((outputBytes / inputBytes - 1) * 100);
  if (percent === 0) return '0%';
  return percent < 0 ? `−${-percent}%` : `+${percent}%`;
}
