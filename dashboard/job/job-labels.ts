import type { JobResource } from '../../core/api/job-resource.ts';
import { formatSizeChange } from '../format/size-change.ts';
import { labelFromCode } from '../format/words.ts';

const stageWords: Record<JobResource['stage'], string> = {
  queued: 'Waiting',
  validating: 'Checking',
  downloading: 'Downloading',
  probing: 'Inspecting',
  transcoding: 'Encoding',
  uploading: 'Storing',
  done: 'Done',
};

/** What an unfinished job is doing. */
export function stageLabel({ state, stage }: JobResource): string {
  return state === 'queued' ? 'Waiting for a worker' : stageWords[stage];
}

type TaskRequest = {
  output: { format: string };
  recipe?: { name: string } | undefined;
  steps?: readonly { recipe: { name: string } }[] | undefined;
};

/** What a job makes of what: `Compress to mp4`, or of a pipeline `Clip, compress to mp4`. */
export function taskLabel({ request }: { request: TaskRequest }): string {
  const { output, recipe, steps = [] } = request;
  const names = recipe === undefined ? steps.map((step) => step.recipe.name) : [recipe.name];
  return `${labelFromCode(names.join(', '))} to ${output.format}`;
}

/** Bytes of all files of a job together, where it has any. */
export function outputBytes({ output_files: files }: JobResource): number | undefined {
  const sizes = Object.values(files ?? {}).map(({ size_mbytes }) => size_mbytes);
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0) * 1_000_000;
}

/** Recipes whose sound or picture takes the place of its input; a film always does. */
const alike = new Set(['image', 'normalize-audio']);

/** How much smaller than its input a job's result is; nothing where it is another thing, as a thumbnail of a film. */
export function sizeChangeLabel(job: JobResource): string | undefined {
  const { inputSizeBytes, output_files: files, request } = job;
  const bytes = outputBytes(job);
  const isAlike = alike.has(request.recipe?.name ?? '') || files?.output?.file_type === 'video';
  if (!isAlike || bytes === undefined || inputSizeBytes === undefined) return undefined;
  return formatSizeChange(inputSizeBytes, bytes);
}
