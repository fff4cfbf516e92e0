import { inputUrls, type JobResource } from '@media-jobs/core/api';
import { canReferenceFiles } from '@media-jobs/video/media';
import { formatBytes, formatDollars, formatDuration } from '../formatting/quantities.ts';
import { columns, redactSecrets } from './sanitize.ts';

type Request = JobResource['request'];

/** A job as text, without signed URLs and the signatures of input URLs. `--json` shows them. */
export function formatJob(job: JobResource): string {
  const { jobId, state, progress, stage, request, error } = job;
  const outputNames = Object.keys(request.outputs ?? {});
  const rows: [string, string | undefined][] = [
    ['Job', jobId],
    ['State', `${state === 'processing' ? stage : state}, ${progress} %`],
    ...requestRecipes(request).map((recipe, index): [string, string] => [
      'Recipe',
      `${outputNames[index] === undefined ? '' : `${outputNames[index]}: `}${formatRecipe(recipe)}`,
    ]),
    ['Format', request.output?.format],
    ...inputUrls(request).map((url): [string, string] => ['Input', url]),
    ['Worker', job.worker ?? undefined],
    ['Chunking', job.chunking?.reason],
    ['Created', job.createdAt],
    ['Position', job.position === undefined ? undefined : `${job.position} in the queue`],
    ['Starts about', job.estimatedStartAt],
    ['Took', totalDuration(job)],
    ['Cost', job.cost && formatDollars(job.cost.usd)],
    ['Retry of', job.retryOf],
    ...Object.entries(job.metadata ?? {}).map(([key, value]): [string, string] => ['Metadata', `${key}=${value}`]),
    ...Object.entries(job.measurements ?? {}).map(([name, value]): [string, string] => [
      'Measured',
      `${name}=${Number(value.toFixed(2))}`,
    ]),
    ...Object.entries(job.outputStates ?? {}).map(([name, { state, progress, error: cause }]): [string, string] => [
      'Output',
      `${name}: ${state}${state === 'processing' ? `, ${progress} %` : ''}${cause === undefined ? '' : `, ${cause.code}: ${cause.message}`}`,
    ]),
    ...listedFiles(job).map((output): [string, string] => ['File', formatFile(job, output)]),
    ...job.warnings.map(({ code, message, output }): [string, string] => [
      'Warning',
      `${output === undefined ? '' : `${output}: `}${code}: ${message}`,
    ]),
    ['Files until', job.filesExpireAt ?? (job.output_files && 'the job is deleted')],
    ['Error', error && `${error.code} while ${error.stage}: ${error.message}`],
  ];
  return columns(rows.flatMap(([title, text]) => (text === undefined ? [] : [[title, redactSecrets(text, [])]])));
}

/** The names of the files without the second name of a set, and without the playlists of a stream, which --json has. */
function listedFiles({ output_files = {} }: JobResource): string[] {
  const names = Object.keys(output_files);
  const isPlaylist = (name: string) => /-(playlist|keyframes|segments)$/.test(name);
  return Object.entries(output_files).flatMap(([name, { file_format }]) => {
    const isLeftOut = names.some((other) => other.startsWith(`${name}/`));
    return isLeftOut || (canReferenceFiles(file_format) && isPlaylist(name)) ? [] : [name];
  });
}

/** The recipes of a request, in the order they run. */
export function requestRecipes({ recipe, steps, outputs = {} }: Request): NonNullable<Request['recipe']>[] {
  return recipe === undefined ? (steps ?? Object.values(outputs)).map((each) => each.recipe) : [recipe];
}

function formatRecipe({ name, ...parameters }: { name: string }): string {
  const pairs = Object.entries(parameters).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [name, ...pairs].join(' ');
}

function totalDuration({ createdAt, completedAt }: JobResource): string | undefined {
  if (completedAt === null) return undefined;
  return formatDuration((Date.parse(completedAt) - Date.parse(createdAt)) / 1000);
}

function formatFile({ output_files = {} }: JobResource, output: string): string {
  const file = output_files[output];
  if (file === undefined) return output;
  const { filename, size_mbytes, codec, width, height, duration, storage_provider_id, storage_key } = file;
  const facts = [
    filename,
    formatBytes(size_mbytes * 1_000_000),
    codec,
    width && height && `${width}x${height}`,
    duration === undefined ? undefined : formatDuration(duration),
    storage_provider_id && `at ${storage_provider_id}: ${storage_key}`,
  ];
  return [...(output === 'output' ? [] : [`${output}:`]), ...facts].filter(Boolean).join(' ');
}
