import type { Chunking } from '../../../core/jobs/job-result.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import {
  frameIndexOf,
  generationOf,
  inputSeconds,
  isChunkable,
  type MediaOrigin,
  parseInputUrl,
  sourceUrlOf,
} from '../world/media-origin.ts';
import { type JobHistory, listedKeys, providerKeys, requestOf } from './history.ts';
import { jobInvariant } from './invariant.ts';
import { completedStepsOf, encodesUntil, stepsOf } from './steps.ts';

/** Every version that was stored under keys of a job: by default those of its finished files. */
function finishedFiles(job: JobHistory, keys = listedKeys(job)): { key: string; made: MediaOrigin }[] {
  return job.objects.flatMap(({ kind, key, ...object }) =>
    kind === 'object-stored' && 'made' in object && keys.includes(key) ? [{ key, made: object.made }] : [],
  );
}

export const finishedFileIsComplete = jobInvariant(
  'a finished file is its whole input, encoded in a single pass or joined from all chunks of one plan',
  (job) =>
    finishedFiles(job)
      .flatMap(({ key, made }) => fileDefect(made, lastUrl(job)) ?? generationDefect({ key, made }, job) ?? [])
      .map((defect) => `its file ${defect}`),
);

function lastUrl(job: JobHistory): string {
  return requestOf(job)?.input?.url ?? '';
}

/** A file is encoded once by each of the steps that lead to the one that it is named after, or to the last one. */
function generationDefect({ key, made }: { key: string; made: MediaOrigin }, job: JobHistory): string | undefined {
  const steps = stepsOf(requestOf(job));
  const named = steps.findIndex(({ name }) => name !== undefined && new RegExp(`/${name}[./]`).test(key));
  const wanted = encodesUntil(steps, named === -1 ? steps.length - 1 : named);
  const found = generationOf(made);
  return found === wanted ? undefined : `was encoded ${found} times instead of ${wanted}`;
}

function fileDefect(made: MediaOrigin, url: string): string | undefined {
  if (made.kind !== 'whole' && made.kind !== 'joined') return `is a ${made.kind}`;
  if (sourceUrlOf(made) !== url) return `is made from ${sourceUrlOf(made)}`;
  const [found, wanted] = [made, { kind: 'source', url } as const].map((file) => frameIndexOf(file).pts.length);
  if (found !== wanted) return `has ${found} frames of ${wanted}`;
  return made.kind === 'joined' ? chunkDefect(made.parts, url) : undefined;
}

/**
 * Checks that chunks are contiguous from the start, numbered in one folder, with the audio last, whole or its chunks; or
 * each chunk with its own.
 */
function chunkDefect(parts: Extract<MediaOrigin, { kind: 'joined' }>['parts'], url: string): string | undefined {
  const folder = parts[0]?.key.replace(/[^/]+$/, '');
  let reached = 0;
  let audioSeconds: number | undefined;
  for (const [number, { key, made }] of parts.entries()) {
    const name = key.slice(folder?.length);
    if (!key.startsWith(`${folder}`) || !name.startsWith(`${number}-`) || !name.endsWith('-0'))
      return `has ${key} as its chunk ${number} of ${folder}`;
    if (made.kind !== 'chunk' && made.kind !== 'audio') return `has a ${made.kind} as its chunk ${number}`;
    if (made.url !== url) return `has a chunk of ${made.url}`;
    if (made.kind === 'chunk' && made.audio === undefined && audioSeconds !== undefined) {
      return 'has a chunk behind its audio';
    }
    if (made.kind === 'chunk' && made.audio !== undefined) {
      const { fromSeconds, toSeconds } = made.audio;
      if (Math.abs(fromSeconds - (audioSeconds ?? 0)) > 1e-5) {
        return `goes on with audio at ${fromSeconds} s after ${audioSeconds} s`;
      }
      audioSeconds = toSeconds;
    }
    const after = made.kind === 'audio' ? (audioSeconds ?? 0) : reached;
    if (Math.abs(made.fromSeconds - after) > 1e-5) return `goes on at ${made.fromSeconds} s after ${after} s`;
    if (made.kind === 'audio') audioSeconds = made.toSeconds;
    else reached = made.toSeconds;
  }
  const seconds = inputSeconds(parseInputUrl(url));
  return audioSeconds === seconds ? undefined : `has audio until ${audioSeconds} s of ${seconds} s`;
}

export const chunkingMatchesFile = jobInvariant(
  'the chunking of a completed job matches its file: number of chunks, and reason for a single pass',
  (job) => {
    // Another attempt of the same work may have stored a file again.
    const stored = finishedFiles(job, [...listedKeys(job), ...intermediateKeys(job)]);
    const finished = [...new Map(stored.map(({ key, made }) => [key, made])).values()];
    const [made] = finished;
    // Files at a storage provider are not in the bucket.
    if (made === undefined || providerKeys(job).length > 0) return [];
    const records = job.writes.flatMap(({ after }) => (after.state === 'completed' ? [after] : []));
    return records.flatMap(
      ({ chunking, request }) =>
        chunkingMismatch(chunking, request.recipe ? [made] : finished, {
          request,
          because: recordedSinglePassReason(job),
        }) ?? [],
    );
  },
);

/** The keys of outputs that only other outputs read. */
function intermediateKeys({ writes }: JobHistory): string[] {
  const last = writes.findLast(({ after }) => after.state === 'processing')?.after;
  return Object.values(completedStepsOf(last)?.intermediates ?? {}).map(({ key }) => key);
}

function chunkingMismatch(
  { chunks: recordedChunks, reason }: Chunking = { chunks: 1, reason: '' },
  files: readonly MediaOrigin[],
  { request, because }: { request: JobRequestRecord; because: string | undefined },
): string | undefined {
  const inFiles = files.map((file) =>
    file.kind === 'joined' ? file.parts.filter((part) => part.made.kind === 'chunk').length : 0,
  );
  const chunks = Math.max(
    1,
    inFiles.reduce((sum, each) => sum + each, 0),
  );
  if (recordedChunks !== chunks) return `was encoded in ${chunks} and says ${recordedChunks}`;
  // A patient job takes a single pass because it is short.
  if (request.speed !== 'fast') return undefined;
  const [made] = files;
  const isSplit = chunks > 1 || made === undefined || !isChunkable(parseInputUrl(sourceUrlOf(made)).kind);
  if (isSplit || request.recipe === undefined) return undefined;
  return because !== undefined && reason.includes(because) ? undefined : `says "${reason}", not "${because}"`;
}

function recordedSinglePassReason({ writes }: JobHistory): string | undefined {
  const last = writes.findLast(({ after }) => after.state === 'processing')?.after;
  return last?.state === 'processing' ? last.singlePassReason : undefined;
}
