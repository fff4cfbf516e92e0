import { resolve } from 'node:path';
import type { OperationRequest, OperationResult } from '@media-jobs/client';
import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '../cli-error.ts';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitName } from '../exit-codes.ts';
import { formatDollars, formatDuration } from '../formatting/quantities.ts';
import { buildRequest } from '../request/build-request.ts';
import { readOutputs } from '../request/outputs.ts';
import { parseNumber } from '../request/parse-number.ts';
import { replaceUrls } from '../request/replace-urls.ts';
import { columns } from '../show/sanitize.ts';
import { findLocalFile } from '../transfer/upload-from-disk.ts';
import type { Submission } from './prepare-request.ts';
import { typePresetParameters } from './preset-parameters.ts';
import { probeMedia } from './probe-media.ts';

type EstimateBody = OperationRequest<'estimateJob'>['body'];

/** The options of the command line about the source, under commander's names. */
export type SourceOptions = {
  sourceSize?: { width: number; height: number };
  sourceDuration?: number;
  sourceFps?: number;
  probeJob?: string;
};

export function addSourceOptions(command: Command): Command {
  return command
    .option(
      '--source-size <WxH>',
      'for an estimate: frame size of the input, such as 1920x1080; default: read from a local file by ffprobe',
      parseSize,
    )
    .option('--source-duration <seconds>', 'for an estimate: duration of the input', parseNumber)
    .option('--source-fps <fps>', 'for an estimate: frame rate of the input; default: 30', parseNumber)
    .option('--probe-job <job-id>', 'for an estimate: completed job of the recipe probe with the same input');
}

/** Shows the estimated time and price of a job. Local files stay where they are. */
export async function estimate(
  context: CommandContext,
  { inputs, parameters, options }: Submission & { options: SourceOptions },
): Promise<ExitName> {
  const inputUrls = inputs.map((input) => (isWebUrl(input) ? input : placeholderUrl));
  const outputs = await readOutputs(options.outputs, context.workingDirectory);
  const body = buildRequest({ ...options, outputs, parameters, inputUrls });
  replaceUrls(body, (url) => (isWebUrl(url) ? undefined : placeholderUrl));
  await typePresetParameters(context.client, body);
  const source = sourceOf(options) ?? (await probedSource(inputs, context));
  const result = await context.client.estimateJob({ body: { ...body, ...source } as EstimateBody });
  context.printResult(result, formatEstimate(result));
  context.printNote(aboutEstimates);
  return 'ok';
}

/**
 * The properties of a local file, which ffprobe reads on this machine.
 *
 * @throws CliError `usage` if the only input is no local file, or there is no ffprobe
 */
async function probedSource(
  [input = '', ...others]: readonly string[],
  { environment, workingDirectory }: CommandContext,
): Promise<Pick<EstimateBody, 'media'>> {
  const options = '--source-size and --source-duration, or --probe-job';
  if (others.length > 0 || isWebUrl(input)) {
    throw new CliError('usage', `Give ${options}: an estimate needs the size and the length of the input.`);
  }
  const file = await findLocalFile(resolve(workingDirectory, input));
  try {
    return { media: await probeMedia(file, environment) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new CliError('usage', `ffprobe could not read ${input}: ${reason}`, {
      hint: `Give ${options}.`,
      cause,
    });
  }
}

export const aboutEstimates = 'Half of such jobs stay below TYPICAL, nine of ten below HIGH.';

/** In place of a local file, which an estimate does not read. */
const placeholderUrl = 'https://example.com/input';

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function sourceOf({ sourceSize, sourceDuration, sourceFps, probeJob }: SourceOptions) {
  if (probeJob !== undefined) return { probeJobId: probeJob };
  if (sourceSize === undefined) return undefined;
  return { media: { ...sourceSize, durationSeconds: sourceDuration, framesPerSecond: sourceFps } };
}

function formatEstimate({ seconds, usd, parts, outputs = {}, chunks, worker }: OperationResult<'estimateJob'>): string {
  const shares = Object.entries(outputs).map(([name, { usd: dollars }]) => ({ name: `output ${name}`, usd: dollars }));
  const rows = [...parts, ...shares].map(({ name, usd: dollars }) => [`  ${name}`, formatDollars(dollars), '']);
  const pass = worker === 'task' ? 'Fargate task' : 'single pass';
  const work = chunks === 1 ? pass : `${chunks} chunks`;
  return columns([
    ['', 'TYPICAL', 'HIGH'],
    [`Time, ${work}`, formatDuration(seconds.p50), formatDuration(seconds.p90)],
    ['Price', formatDollars(usd.p50), formatDollars(usd.p90)],
    ...rows,
  ]);
}

function parseSize(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (height === undefined) throw new InvalidArgumentError('Expected a size such as 1920x1080.');
  return { width: Number(width), height: Number(height) };
}
