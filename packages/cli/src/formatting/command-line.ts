import type { JobResource } from '@media-jobs/core/api';
import { inputUrls } from '@media-jobs/core/api';

/** The request of a job, or of one that is not submitted yet. */
type Request = JobResource['request'] & { preset?: string; parameters?: Record<string, unknown> };

/** The `media-jobs submit` command of a request, for a POSIX shell. */
export function submitCommandLine(
  request: Request & { metadata?: Record<string, string> | undefined },
  programName = 'media-jobs',
): string {
  const { output, webhookUrl, speed, finishBy, priority, maxCostUsd } = request;
  const { keepDays = output?.keepDays, metadata = {} } = request;
  return [
    `${programName} submit ${inputUrls(request).map(shellQuote).join(' ')}`,
    ...recipeOptions(request),
    ...outputOptions(output),
    ...(webhookUrl === undefined ? [] : [`--webhook-url ${shellQuote(webhookUrl)}`]),
    ...(speed === undefined ? [] : [`--speed ${speed}`]),
    ...(finishBy === undefined ? [] : [`--finish-by ${finishBy}`]),
    ...(priority === undefined ? [] : [`--priority ${priority}`]),
    ...(maxCostUsd === undefined ? [] : [`--max-cost-usd ${maxCostUsd}`]),
    ...(keepDays === undefined ? [] : [`--keep-days ${keepDays ?? 'forever'}`]),
    ...Object.entries(metadata).map(([key, value]) => `--metadata ${shellQuote(`${key}=${value}`)}`),
    '--wait',
  ].join(' \\\n  ');
}

function outputOptions(output: Request['output']): string[] {
  if (output === undefined) return [];
  const { format, storageProviderId, key, headers, storageClass, tags = {} } = output;
  const texts = {
    ...{ 'output-key': key, 'output-storage-class': storageClass },
    'output-cache-control': headers?.cacheControl,
    'output-content-disposition': headers?.contentDisposition,
  };
  const provider = storageProviderId === null ? '--no-output-provider' : `--output-provider ${storageProviderId}`;
  return [
    `--format ${format}`,
    ...(storageProviderId === undefined ? [] : [provider]),
    ...Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [`--${name} ${shellQuote(text)}`])),
    ...Object.entries(tags).map(([name, value]) => `--output-tag ${shellQuote(`${name}=${value}`)}`),
  ];
}

function recipeOptions({ recipe, steps, outputs, preset, parameters: ofPreset = {} }: Request): string[] {
  if (preset !== undefined) {
    const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    const set = Object.entries(ofPreset).map(([path, value]) => `--set ${shellQuote(`${path}=${textOf(value)}`)}`);
    return [`--preset ${preset}`, ...set];
  }
  if (outputs !== undefined) return [`--outputs ${shellQuote(JSON.stringify(outputs))}`];
  if (recipe === undefined) return [`--steps ${shellQuote(JSON.stringify(steps))}`];
  const { name, ...parameters } = recipe;
  const options = Object.entries(parameters).map(([parameter, value]) => formatOption(parameter, value));
  return [`--recipe ${name}`, ...options];
}

function formatOption(parameter: string, value: unknown): string {
  const name = optionName(parameter);
  if (typeof value === 'boolean') return value ? `--${name}` : `--no-${name}`;
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'number');
  return `--${name} ${shellQuote(typeof value === 'object' && !isList ? JSON.stringify(value) : String(value))}`;
}

/** The command-line option of a parameter: `maxWidth` is `max-width`. */
export function optionName(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Quotes a text as one argument of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
