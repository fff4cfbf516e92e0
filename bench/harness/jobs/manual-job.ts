import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '../../../client/client.ts';
import type { Format } from '../../../core/media/formats.ts';
import type { RecipeRequest } from '../../../core/recipes/registry.ts';
import { allFiles, type Files, wallSeconds, withBareRuns } from './bare-ffmpeg.ts';
import type { ServedFile } from './file-server.ts';

export type ManualJob = { recipe: RecipeRequest; format: Format; files: Files<ServedFile> };

/**
 * The job as a script would do it: fetch the files, run ffmpeg with the job's arguments, put the outputs into the
 * bucket; nothing judged, probed, checked or written down. Returns the wall seconds of it all and ffmpeg's alone, and
 * beside them what measuring the files takes.
 */
export function manualJobSeconds(
  client: Client,
  { recipe, format, files: served }: ManualJob,
): Promise<{ total: number; ffmpeg: number; probing: number }> {
  const files = {
    inputs: served.inputs.map(({ path }) => path),
    assets: Object.fromEntries(Object.entries(served.assets ?? {}).map(([name, { path }]) => [name, path])),
  };
  return withBareRuns({ files, recipe, format }, async ({ paths, outputPaths, run, probe }) => {
    const download = await wallSeconds(async () => {
      for (const [index, { url }] of allFiles(served).entries()) await fetchTo(url, paths[index] ?? '');
    });
    const ffmpeg = await wallSeconds(run);
    const probing = await wallSeconds(probe);
    const places = await Promise.all(outputPaths.map((path) => placeFor(client, path)));
    const upload = await wallSeconds(() => Promise.all(places.map(put)));
    return { total: download + ffmpeg + upload, ffmpeg, probing };
  });
}

async function fetchTo(url: string, path: string): Promise<void> {
  const { body } = await fetch(url);
  if (body === null) throw new Error('The clip has no bytes');
  await pipeline(Readable.fromWeb(body), createWriteStream(path));
}

type Place = { path: string; sizeBytes: number; uploadUrl: string };

async function placeFor(client: Client, path: string): Promise<Place> {
  const { size: sizeBytes } = await stat(path);
  const place = await client.createUpload({ body: { sizeBytes } });
  if (!('uploadUrl' in place)) throw new Error('An output of a 10 s clip is too large for one PUT');
  return { path, sizeBytes, uploadUrl: place.uploadUrl };
}

async function put({ path, sizeBytes, uploadUrl }: Place): Promise<void> {
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
  const headers = { 'content-length': String(sizeBytes) };
  const answer = await fetch(uploadUrl, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit);
  if (!answer.ok) throw new Error(`The bucket answered ${answer.status}`);
}
