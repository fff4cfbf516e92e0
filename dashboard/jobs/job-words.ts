import type { JobResource } from '../../core/api/job-resource.ts';
import { asWords } from '../format/words.ts';

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
export function stageOf({ state, stage }: JobResource): string {
  return state === 'queued' ? 'Waiting for a worker' : stageWords[stage];
}

/** What a job makes of what: `Compress to mp4`. */
export function taskOf({ request }: JobResource): string {
  return `${asWords(request.recipe.name)} to ${request.output.format}`;
}

/** Bytes of all files of a job together, where it has any. */
export function outputBytes({ output_files: files }: JobResource): number | undefined {
  const sizes = Object.values(files ?? {}).map(({ size_mbytes }) => size_mbytes);
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0) * 1_000_000;
}
