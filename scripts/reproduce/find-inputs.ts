import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hashFile } from '../../adapters/filesystem/hash-file.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { InputFile } from '../../core/media/input-file.ts';
import { formatBytes } from '../../formatting/quantities.ts';

/**
 * The path of each file that the job downloaded, by its name in the log: one of the given files with the SHA-256 in the log,
 * or with the size if the log has no SHA-256; otherwise a download from the URL in the job's request.
 *
 * @param directory receives the downloads
 * @throws Error if a file is missing or is another one than the job read
 */
export async function findInputs(
  recorded: readonly InputFile[],
  {
    files,
    request,
    directory,
  }: { files: readonly string[]; request?: JobResource['request'] | undefined; directory: string },
): Promise<Record<string, string>> {
  const candidates: LocalFile[] = [];
  for (const path of files)
    candidates.push({ path, sha256: await hashFile(path), bytes: (await stat(path)).size });
  const found: Record<string, string> = {};
  for (const input of recorded) {
    const file = candidates.find((each) => isSame(input, each));
    const path = file?.path ?? join(directory, input.name);
    found[input.name] = path;
    if (file !== undefined) continue;
    const url = request && urlOf(input.name, request);
    if (files.length > 0 || url === undefined) throw new Error(missing(input, files));
    if (!/^https?:/.test(url)) {
      throw new Error(
        `${input.name} of the job is an upload, which the API does not return. ${missing(input, [])}`,
      );
    }
    await download(url, path, input);
    if (isSame(input, { sha256: await hashFile(path), bytes: (await stat(path)).size })) continue;
    throw new Error(`${new URL(url).host} has another file than the job read. ${missing(input, [])}`);
  }
  return found;
}

type LocalFile = { path: string; sha256: string; bytes: number };

/** A source that the job read by ranges is known by its size alone. */
function isSame({ sha256, bytes }: InputFile, file: Omit<LocalFile, 'path'>): boolean {
  return sha256 === undefined ? bytes === file.bytes : sha256 === file.sha256;
}

/** The URL of a downloaded file: input n of the request, or the parameter of a step. */
function urlOf(name: string, { input, inputs, recipe, steps }: JobResource['request']): string | undefined {
  const [, number] = /^input-(\d+)$/.exec(name) ?? [];
  if (number !== undefined) return (inputs ?? [input])[Number(number) - 1]?.url;
  const [, step, parameter = ''] = /^asset-(\d+)-(.+)$/.exec(name) ?? [];
  const url = (steps ?? [{ recipe }])[Number(step) - 1]?.recipe?.[parameter];
  return typeof url === 'string' ? url : undefined;
}

async function download(url: string, path: string, { name, bytes }: InputFile): Promise<void> {
  const { host } = new URL(url);
  const response = await fetch(url).catch((cause: unknown) => {
    throw new Error(`${name} cannot be downloaded from ${host}. Pass the file with --input.`, { cause });
  });
  if (!response.ok || response.body === null) {
    throw new Error(`${name}: ${host} answered ${response.status}. Pass the file with --input.`);
  }
  const announced = Number(response.headers.get('content-length') ?? bytes);
  if (announced !== bytes) {
    await response.body.cancel();
    throw new Error(
      `${name}: ${host} has ${formatBytes(announced)}, but the job read ${formatBytes(bytes)}.`,
    );
  }
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
}

function missing({ name, bytes, sha256 }: InputFile, files: readonly string[]): string {
  const problem = files.length === 0 ? 'Pass it with --input' : `None of the given files is ${name}`;
  const digest = sha256 === undefined ? '' : ` with the SHA-256 ${sha256}`;
  return `${problem}: the file of ${formatBytes(bytes)}${digest}.`;
}
