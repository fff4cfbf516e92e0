import { resolve } from 'node:path';
import type { JobRequest } from '../../core/api/job-request.ts';
import { requestUrls } from '../../core/api/job-request.ts';
import type { CommandContext } from '../context/command-context.ts';
import { buildRequest, type JobBody } from '../request/build-request.ts';
import { isFolder } from '../transfer/destinations.ts';
import { assertPathFree } from '../transfer/download-to-disk.ts';
import { findLocalFile, type LocalFile } from '../transfer/upload-from-disk.ts';
import { uploadInput } from '../transfer/upload-input.ts';
import type { Submission } from './submission.ts';

/**
 * The request of a submission. All that can be known to be wrong is refused before anything is sent; then the files
 * that it names, inputs and others, go where the service can reach them.
 */
export async function prepareRequest(tools: CommandContext, submission: Submission): Promise<JobBody> {
  const { inputs, parameters, options } = submission;
  const body = buildRequest({ ...options, parameters, inputUrls: inputs });
  const named = requestUrls(body as JobRequest).filter(({ url }) => !isUrl(url));
  const files = new Map<string, LocalFile>();
  for (const { url: path } of named)
    files.set(path, await findLocalFile(resolve(tools.workingDirectory, path)));
  await refuseTakenTarget(tools.workingDirectory, options);
  const urls = await uploadAll(tools, files);
  for (const { url: path, path: place } of named) setText(body, place.split('.'), urls.get(path) ?? path);
  return body;
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

type Tree = { [key: string]: Tree | string };

/** Puts a text at a place of a request, which is there already. */
function setText(request: object, place: readonly string[], text: string): void {
  const holder = place.slice(0, -1).reduce((at, key) => at[key] as Tree, request as Tree);
  holder[place.at(-1) ?? ''] = text;
}

/** Uploads files one after another; gives the URL of each by its path. */
async function uploadAll(
  tools: CommandContext,
  files: ReadonlyMap<string, LocalFile>,
): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  if (files.size === 0) return urls;
  const { client, signal, pause, setFailureHint } = tools;
  setFailureHint({ hint: 'No job was submitted.' });
  const view = tools.openProgressView();
  try {
    for (const [path, file] of files)
      urls.set(path, await uploadInput(file, { client, view, signal, pause }));
  } finally {
    view.end();
  }
  return urls;
}

async function refuseTakenTarget(
  directory: string,
  { download, force }: Submission['options'],
): Promise<void> {
  if (typeof download !== 'string' || force) return;
  const target = resolve(directory, download);
  if (!(await isFolder(target))) await assertPathFree(target);
}
