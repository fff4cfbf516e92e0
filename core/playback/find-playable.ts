import { cueFile, dashFile, hlsFile } from '@media-jobs/video/media';
import { AppError, invalidRequest } from '../errors.ts';
import type { Job, JobIn } from '../jobs/record.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import { availableFiles } from '../jobs/retention.ts';
import { filenameOf, folderOf, type StoredFile } from '../jobs/stored-file.ts';

/** The files of a job that a viewer gets, by their role in the playback. */
export type Playable = Partial<Record<'hls' | 'dash' | 'mp4' | 'poster' | 'sprite', StoredFile>>;

/**
 * The files with which a job is played: a stream, else an MP4; `wanted` names the output, by default the first one. The poster
 * is the first thumbnail of the job, and the sprite its first. A stream is accompanied by an MP4 of the same length.
 *
 * @throws AppError JOB_NOT_COMPLETED, JOB_NOT_PLAYABLE, JOB_FILES_EXPIRED; VALIDATION_ERROR at `output` for an unknown one
 */
export function findPlayable(
  job: Job,
  wanted: string | undefined,
  now: Date,
): { completed: JobIn<'completed'>; playable: Playable } {
  if (job.state !== 'completed')
    throw new AppError('JOB_NOT_COMPLETED', `The job is ${job.state}: only a completed job can be played.`);
  const outputs = outputsOf(job);
  if (wanted !== undefined && !outputs.includes(wanted)) {
    throw invalidRequest([{ path: 'output', message: `Must be an output of the job: ${outputs.join(', ')}` }]);
  }
  const candidates = wanted === undefined ? outputs : [wanted];
  const left = availableFiles(job, now).map(([, file]) => file);
  const playable = select(job.request, left, candidates);
  if (playable !== undefined) return { completed: job, playable };
  if (select(job.request, Object.values(job.files), candidates) !== undefined) {
    throw new AppError('JOB_FILES_EXPIRED', 'The files of the job have expired: submit it again.');
  }
  const subject = wanted === undefined ? 'The job' : `The output ${wanted}`;
  throw new AppError(
    'JOB_NOT_PLAYABLE',
    `${subject} has neither a stream nor an MP4. Use the recipe hls, or format mp4.`,
  );
}

/** The names of all outputs, in the order of the request: those that were skipped or are not delivered too. */
function outputsOf({ request: { outputs, steps = [] }, files }: JobIn<'completed'>): string[] {
  if (outputs !== undefined) return Object.keys(outputs);
  return [...new Set([...Object.values(files).map(folderOf), ...steps.flatMap(({ name }) => name ?? []), 'output'])];
}

function select(
  request: JobRequestRecord,
  files: readonly StoredFile[],
  candidates: readonly string[],
): Playable | undefined {
  const byOutput = Map.groupBy(files, folderOf);
  const filesOf = (output: string) => byOutput.get(output) ?? [];
  const named = (output: string, name: string) => filesOf(output).find((file) => filenameOf(file) === name);
  const isStream = (output: string) => (named(output, hlsFile) ?? named(output, dashFile)) !== undefined;
  const stream = candidates.find(isStream);
  const mp4Of = (output: string) =>
    isStream(output)
      ? undefined
      : filesOf(output)
          .filter(({ file_type, file_format }) => file_type === 'video' && file_format === 'mp4')
          .toSorted((one, other) => (other.height ?? 0) - (one.height ?? 0))[0];
  const everyOutput = [...new Set([...Object.keys(request.outputs ?? {}), ...byOutput.keys()])];
  const find = (choose: (output: string) => StoredFile | undefined) =>
    everyOutput.flatMap((name) => choose(name) ?? [])[0];
  const shared = {
    poster: find((name) => (/^thumbnails?$/.test(recipeOf(request, name)?.name ?? '') ? filesOf(name)[0] : undefined)),
    sprite: find((name) => named(name, cueFile)),
  };
  if (stream === undefined) {
    const mp4 = candidates.flatMap((name) => mp4Of(name) ?? [])[0];
    return mp4 && present({ mp4, ...shared });
  }
  const seconds = Math.max(...filesOf(stream).map(({ duration = 0 }) => duration));
  const lasts = (file: StoredFile | undefined) =>
    Math.abs((file?.duration ?? 0) - seconds) <= Math.max(1, seconds / 100);
  // Whoever may see an encrypted stream gets its key elsewhere.
  const isEncrypted = recipeOf(request, stream)?.encryption !== undefined;
  const mp4 = isEncrypted ? undefined : find((name) => (lasts(mp4Of(name)) ? mp4Of(name) : undefined));
  return present({ hls: named(stream, hlsFile), dash: named(stream, dashFile), mp4, ...shared });
}

function present(files: Record<keyof Playable, StoredFile | undefined> | Playable): Playable {
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
}

/** The recipe of an output. Steps without a name have the folder `output`, as a job of one recipe has. */
function recipeOf({ outputs, steps, recipe }: JobRequestRecord, output: string) {
  if (outputs !== undefined) return outputs[output]?.recipe;
  return (steps?.find(({ name }) => name === output) ?? steps?.at(-1))?.recipe ?? recipe;
}
