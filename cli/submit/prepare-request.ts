import { resolve } from 'node:path';
import { buildRequest, inputsOf, type JobBody } from '../request/build-request.ts';
import type { Tools } from '../tools/tools.ts';
import { bringInput } from '../transfer/bring-input.ts';
import { isFolder } from '../transfer/destinations.ts';
import { refuseTaken } from '../transfer/download-to-disk.ts';
import { findLocalFile, type LocalFile } from '../transfer/upload-from-disk.ts';
import type { Submission } from './submission.ts';

/**
 * The request of a submission. All that can be known to be wrong is refused before anything is sent; then the input
 * goes where the service can reach it.
 */
export async function prepareRequest(tools: Tools, submission: Submission): Promise<JobBody> {
  const { inputs, parameters, options } = submission;
  const body = buildRequest({ ...options, parameters, inputUrls: inputs.map(urlForNow) });
  const files = new Map<string, LocalFile>();
  for (const input of inputs.filter((one) => !isUrl(one))) {
    files.set(input, await findLocalFile(resolve(tools.directory, input)));
  }
  await refuseTakenTarget(tools.directory, options);
  const urls = await uploadAll(tools, files);
  return { ...body, ...inputsOf(inputs.map((input) => urls.get(input) ?? input)) } as JobBody;
}

function isUrl(input: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(input);
}

/** What stands for a file until it has a URL. */
function urlForNow(input: string): string {
  return isUrl(input) ? input : 'upload://';
}

/** Uploads files one after another; gives the URL of each. */
async function uploadAll(tools: Tools, files: ReadonlyMap<string, LocalFile>): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  if (files.size === 0) return urls;
  const { client, signal, nowThat } = tools;
  nowThat({ hint: 'No job was submitted.' });
  const view = tools.progress();
  try {
    for (const [input, file] of files) urls.set(input, await bringInput(file, { client, view, signal }));
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
  if (!(await isFolder(target))) await refuseTaken(target);
}
