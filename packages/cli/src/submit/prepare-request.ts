import { basename, resolve } from 'node:path';
import { downloadName, inputUrls, requestUrls, type SubmittedJob } from '@media-jobs/core/api';
import type { Speed } from '@media-jobs/video/encoding';
import { findRecipe } from '@media-jobs/video/recipes';
import type { CommandContext } from '../context/command-context.ts';
import { buildRequest, type JobBody } from '../request/build-request.ts';
import { readOutputs } from '../request/outputs.ts';
import type { KeepDays } from '../request/parse-number.ts';
import { replaceUrls } from '../request/replace-urls.ts';
import { expectedDestination } from '../transfer/destinations.ts';
import { assertPathFree } from '../transfer/download-to-disk.ts';
import { uploadOnce } from '../transfer/remembered-uploads.ts';
import { findLocalFile, type LocalFile } from '../transfer/upload-from-disk.ts';
import { resolveBucketInputs } from './bucket-inputs.ts';
import type { IdempotencyOptions } from './create-once.ts';
import { typePresetParameters } from './preset-parameters.ts';

/** Options of `submit` other than recipe parameters, under commander's names. */
export type SubmitOptions = IdempotencyOptions & {
  recipe?: string;
  steps?: string;
  set?: Record<string, string>;
  output?: Record<string, string>;
  outputs?: string;
  format?: string;
  provider?: string;
  /** False for the bucket of the service. */
  outputProvider?: string | false;
  outputKey?: string;
  outputCacheControl?: string;
  outputContentDisposition?: string;
  outputStorageClass?: string;
  outputTag?: Record<string, string>;
  webhookUrl?: string;
  speed?: Speed;
  finishBy?: string;
  priority?: number;
  maxCostUsd?: number;
  keepDays?: KeepDays;
  metadata?: Record<string, string>;
  wait?: boolean;
  /** True without a path. */
  download?: string | true;
  force?: boolean;
};

/** The parsed command line of `submit`. */
export type Submission = {
  /** Paths and URLs. */
  inputs: readonly string[];
  /** Recipe parameters as text. */
  parameters: Record<string, string | boolean>;
  options: SubmitOptions;
};

/**
 * Builds the request of a submission. Checks everything that can be checked locally first, then uploads the local files
 * that the inputs and parameters name.
 */
export async function prepareRequest(context: CommandContext, submission: Submission): Promise<JobBody> {
  const { inputs, parameters, options } = submission;
  const { workingDirectory } = context;
  const outputs = await readOutputs(options.outputs, workingDirectory);
  const body = buildRequest({ ...options, outputs, parameters, inputUrls: inputs });
  const localPaths = requestUrls(body as SubmittedJob).filter(({ url }) => !isUrl(url));
  const files = new Map<string, LocalFile>();
  for (const { url: path } of localPaths) {
    files.set(path, await findLocalFile(resolve(workingDirectory, path)));
  }
  await assertDownloadPathFree(context, { body: body as SubmittedJob, submission });
  await typePresetParameters(context.client, body);
  await resolveBucketInputs(context.client, body, options.provider);
  const urls = await uploadOnce(context, files);
  replaceUrls(body, (url) => urls.get(url));
  return body;
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** As far as the path is known: before anything is uploaded and encoded. */
async function assertDownloadPathFree(
  { workingDirectory }: CommandContext,
  { body, submission }: { body: SubmittedJob; submission: Submission },
): Promise<void> {
  const { download, force } = submission.options;
  if (download === undefined || force) return;
  const path = download === true ? undefined : download;
  const inputs = submission.inputs.map((input) => resolve(workingDirectory, input));
  const destination = await expectedDestination(expectedFilename(body), { path, workingDirectory, inputs });
  if (destination !== undefined) await assertPathFree(destination);
}

/** The name of the only file of a job. Undefined if there are several, or a host may state another name. */
function expectedFilename(body: SubmittedJob): string | undefined {
  const [input = ''] = inputUrls(body);
  if (body.mode === 'outputs' || body.mode === 'preset') return undefined;
  const steps = 'steps' in body ? body.steps : [{ recipe: body.recipe }];
  const isSingle = steps.every(({ recipe, ...step }, index) =>
    index === steps.length - 1 ? !findRecipe(recipe.name)?.severalOutputs : !('name' in step),
  );
  if (!isSingle || isUrl(input)) return undefined;
  const output = { name: 'output', filename: `output.${body.output.format}` };
  return downloadName({ url: encodeURIComponent(basename(input)) }, output);
}
