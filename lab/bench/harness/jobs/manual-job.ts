import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '@media-jobs/client';
import type { Format } from '@media-jobs/video/media';
import type { RecipeRequest } from '@media-jobs/video/recipes';
import { mapConcurrent } from '../../../../core/async.ts';
import { maxConcurrentProbes } from '../../../../core/worker/outputs.ts';
import { allFiles, type Files, wallSeconds, withBareRuns } from '../process/bare-runs.ts';
import type { ServedFile } from './file-server.ts';

export type ManualJob = { recipe: RecipeRequest; format: Format; files: Files<ServedFile> };

/**
 * The job as a script would do it: fetch the files, run ffmpeg with the job's arguments, upload the outputs; nothing is
 * validated, probed, verified or recorded. Returns the wall seconds of the job, of ffmpeg alone, and of probing the
 * files.
 */
export function manualJobSeconds(
  client: Client,
  { recipe, format, files: served }: ManualJob,
): Promise<{ total: number; ffmpeg: number; probing: number }> {
  const files = {
    inputs: served.inputs.map(({ path }) => path),
    assets: Object.fromEntries(Object.entries(served.assets ?? {}).map(([name, { path }]) => [name, path])),
  };
  return withBareRuns(
    { files, recipe, format, environment: process.env },
    async ({ paths, outputPaths, mediaPaths, encoder, run }) => {
      const download = await wallSeconds(async () => {
        for (const [index, { url }] of allFiles(served).entries()) await fetchTo(url, paths[index] ?? '');
      });
      const ffmpeg = await wallSeconds(run);
      // As the worker does.
      const probing = await wallSeconds(async () => {
        for (const path of paths.slice(0, files.inputs.length)) await encoder.probe(path);
        const probe = (path: string) => encoder.probe(path, { role: 'output' });
        await mapConcurrent(mediaPaths, maxConcurrentProbes, probe);
      });
      const uploads = await uploadsFor(client, outputPaths);
      const uploadSeconds = await wallSeconds(() => Promise.all(uploads.map(put)));
      return { total: download + ffmpeg + uploadSeconds, ffmpeg, probing };
    },
  );
}

/** Several recipes of one file as a script would do them: it fetches the file once, to the path. */
export async function manualOutputs(
  client: Client,
  {
    source,
    path,
    outputs,
  }: { source: ServedFile; path: string; outputs: readonly Pick<ManualJob, 'recipe' | 'format'>[] },
): Promise<void> {
  await fetchTo(source.url, path);
  for (const work of outputs) {
    await withBareRuns(
      { ...work, files: { inputs: [path] }, environment: process.env, inPlace: true },
      async (runs) => {
        await runs.run();
        for (const upload of await uploadsFor(client, runs.outputPaths)) await put(upload);
      },
    );
  }
}

async function fetchTo(url: string, path: string): Promise<void> {
  const { body } = await fetch(url);
  if (body === null) throw new Error('The answer has no body');
  await pipeline(Readable.fromWeb(body), createWriteStream(path));
}

type Upload = { path: string; sizeBytes: number; uploadUrl: string };

function uploadsFor(client: Client, paths: readonly string[]): Promise<Upload[]> {
  return Promise.all(paths.map((path) => uploadFor(client, path)));
}

async function uploadFor(client: Client, path: string): Promise<Upload> {
  const { size: sizeBytes } = await stat(path);
  const upload = await client.createUpload({ body: { sizeBytes } });
  if (!('uploadUrl' in upload)) throw new Error('An output of a 10 s clip is too large for one PUT');
  return { path, sizeBytes, uploadUrl: upload.uploadUrl };
}

async function put({ path, sizeBytes, uploadUrl }: Upload): Promise<void> {
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
  const headers = { 'content-length': String(sizeBytes) };
  const answer = await fetch(uploadUrl, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit);
  if (!answer.ok) throw new Error(`The bucket answered ${answer.status}`);
}
