import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { Client } from '../../client/client.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { type AttemptLog, attemptLogSchema } from '../../core/jobs/attempt-log.ts';
import type { Encoder } from '../../core/media/ffmpeg/ports.ts';
import { assembleChunks } from './assemble-chunks.ts';
import { type Comparison, compareFiles } from './compare-files.ts';
import { findInputs } from './find-inputs.ts';
import { runRecordedCommands } from './run-commands.ts';

/** A file of the job: the name of its stored object, and where it is. Playlists name files of their own. */
type Original = { name: string; filename: string; path?: string; url?: string };

/** What is made again: the log of one attempt, and what is known of its job. */
export type Recorded = { log: AttemptLog; request?: JobResource['request']; originals: Original[] };

export type ReproducedFile = { name: string } & (Comparison | { result: 'not compared' });

export type Reproduction = {
  attempt: number;
  /** ffmpeg's version of the job and on this machine. */
  ffmpeg: { job: string; here: string };
  commands: number;
  files: ReproducedFile[];
};

/** Reads job and log from the API. @throws Error if the job has no log or its files have expired */
export async function readRecordedJob(client: Client, jobId: string, attempt?: number): Promise<Recorded> {
  const job = await client.getJob({ params: { id: jobId } });
  const { attempts } = await client.getJobLog({ params: { id: jobId } });
  const originals = Object.entries(job.output_files ?? {}).flatMap(
    ([name, { storage_url: url, file_type }]) =>
      file_type === 'playlist'
        ? []
        : [{ name, url, filename: madeName(job.request, name, basename(new URL(url).pathname)) }],
  );
  return { log: selectAttempt(attempts, attempt), request: job.request, originals };
}

/** The file of a named step has the step's name, but ffmpeg wrote `output` in the directory of the step. */
function madeName({ steps = [] }: JobResource['request'], name: string, filename: string): string {
  const step = steps.findIndex((each) => each.name === name);
  return step < 0 ? filename : `step-${step + 1}/${filename.replace(name, 'output')}`;
}

/** Reads a saved answer of `GET /api/v1/jobs/{id}/log`. `results` are the files of the job to compare with. */
export async function readRecordedLog(
  path: string,
  { results, attempt }: { results: readonly string[]; attempt?: number | undefined },
): Promise<Recorded> {
  const text = await readFile(path, 'utf8');
  const parsed = z.object({ attempts: z.array(attemptLogSchema) }).safeParse(parseJson(text));
  if (!parsed.success) {
    throw new Error(`${path} is not the log of a job: save what \`npm run cli -- log JOB --json\` prints.`);
  }
  const originals = results.map((result) => ({
    name: basename(result),
    filename: basename(result),
    path: result,
  }));
  return { log: selectAttempt(parsed.data.attempts, attempt), originals };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function selectAttempt(attempts: readonly AttemptLog[], wanted: number | undefined): AttemptLog {
  const log = wanted === undefined ? attempts.at(-1) : attempts.find(({ attempt }) => attempt === wanted);
  if (log !== undefined) return log;
  if (attempts.length === 0) throw new Error('The job has no log: ffmpeg never ran, or the log has expired.');
  throw new Error(`The log has no attempt ${wanted}: ${attempts.map(({ attempt }) => attempt).join(', ')}.`);
}

export type ReproduceOptions = {
  encoder: Encoder;
  fontsDirectory: string;
  /** Files that may be inputs of the job. */
  inputs: readonly string[];
  /** Directory that receives the files; undefined to keep none. */
  output?: string | undefined;
  note: (line: string) => void;
};

/** Makes the files of a job again by the commands of its log, and compares them with the job's. */
export async function reproduceJob(
  { log, request, originals }: Recorded,
  { encoder, fontsDirectory, inputs: files, output, note }: ReproduceOptions,
): Promise<Reproduction> {
  if (log.inputs === undefined)
    throw new Error('The log has no hashes of its inputs: an earlier version wrote it.');
  const temporary = await mkdtemp(join(tmpdir(), 'media-jobs-reproduce-'));
  const directoryOf = async (name: string) => {
    const path = join(temporary, name);
    await mkdir(path);
    return path;
  };
  try {
    const inputs = await findInputs(log.inputs, { files, request, directory: await directoryOf('inputs') });
    const here = await encoder.version();
    if (here !== log.ffmpegVersion) note(`The job ran ${log.ffmpegVersion}, this machine has ${here}.`);
    const { paths, commands } = await runRecordedCommands(encoder, log.commands, {
      locations: { directory: await directoryOf('made'), fontsDirectory, inputs },
      wanted: originals.map(({ filename }) => basename(filename)),
      onCommand: (number, count) => note(`Command ${number} of ${count}`),
    });
    const downloads = await directoryOf('originals');
    const compared: ReproducedFile[] = [];
    const assembled = await directoryOf('assembled');
    for (const [file, original] of originals.entries()) {
      const made =
        paths.findLast((path) => path.endsWith(`/${original.filename}`)) ??
        (await assembleChunks(log.commands, { paths, file, directory: assembled }));
      if (made === undefined) compared.push({ name: original.name, result: 'not compared' });
      else {
        const path = original.path ?? (await download(original, downloads));
        compared.push({ name: original.name, ...(await compareFiles(encoder, { made, original: path })) });
      }
      if (made !== undefined && output !== undefined)
        await keep(made, join(output, basename(original.filename)));
    }
    if (originals.length === 0 && output !== undefined) {
      for (const path of paths) await keep(path, join(output, basename(path)));
    }
    return { attempt: log.attempt, ffmpeg: { job: log.ffmpegVersion, here }, commands, files: compared };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function download({ filename, url = '' }: Original, directory: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) {
    throw new Error(
      `${basename(filename)} of the job cannot be downloaded: its storage answered ${response.status}.`,
    );
  }
  const path = join(directory, basename(filename));
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  return path;
}

async function keep(from: string, to: string): Promise<void> {
  await mkdir(join(to, '..'), { recursive: true });
  await copyFile(from, to);
}
