import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { timedSleep, uploadFromDisk } from '@media-jobs/cli';
import { submitAndFollow } from '@media-jobs/cli/demo';
import type { Network } from '@media-jobs/local-stage/emulators';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import type { Usage } from '../process/processor-time.ts';
import { benchStage } from '../stage/bench-stage.ts';
import { readInvocation } from './timed-function.ts';

/** The usage of each stage of a job in chunks. */
export type FilmRun = {
  /** From the request to the terminal record. */
  seconds: number;
  prepare: Usage;
  /** All chunks, each with its audio. */
  tasks: Usage[];
  join: Usage;
  resultGb: number;
};

const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28 });

/** Uploads a film to a stage and encodes it in chunks by its functions, with such a network to S3. */
export async function encodeFilm(path: string, network: Network): Promise<FilmRun> {
  const usages = new Map<string, Usage[]>();
  const joined = Promise.withResolvers<void>();
  await using bench = await benchStage({
    preload: join(import.meta.dirname, 'timed-function.ts'),
    log: (source, line) => {
      const usage = readInvocation(line);
      if (usage) usages.set(source, [...(usages.get(source) ?? []), usage]);
      if (usage && source === functionOf('join-chunks')) joined.resolve();
    },
  });
  const { stage, client } = bench;
  const url = await uploadFromDisk({
    newId: randomUUID,
    client,
    file: { path, sizeBytes: (await stat(path)).size },
    signal: new AbortController().signal,
    sleep: timedSleep,
    onProgress: () => undefined,
  });
  stage.faults.slow('s3', network);
  const { job, seconds } = await submitAndFollow(client, {
    mode: 'recipe',
    input: { url },
    output: { format: 'mp4' },
    recipe,
    speed: 'fast',
  });
  if ((job.chunking?.chunks ?? 1) < 2) throw new Error(job.chunking?.reason ?? 'The film was not chunked');
  // The job has ended before its last function has answered.
  await joined.promise;
  const of = (name: string) => usages.get(functionOf(name)) ?? [];
  return {
    seconds,
    prepare: slowestOf(of('transcode')),
    tasks: of('encode-chunk'),
    join: slowestOf(of('join-chunks')),
    resultGb: (job.output_files?.output?.size_mbytes ?? 0) / 1000,
  };
}

function functionOf(name: string): string {
  return `function media-jobs-local-${name}`;
}

/** Other invocations of the same function found nothing to do. */
function slowestOf(usages: readonly Usage[]): Usage {
  return usages.toSorted((a, b) => b.wall - a.wall)[0] ?? { wall: Number.NaN, processor: Number.NaN };
}
