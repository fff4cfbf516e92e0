import type * as z from 'zod';
import type { OperationRequest } from '../../client/operation.ts';
import { jobRequestSchema } from '../../core/api/job-request.ts';
import type { Speed } from '../../core/jobs/speeds.ts';
import { optionName } from '../../formatting/command-line.ts';
import { CliError } from '../cli-error.ts';
import { type RecipeArguments, recipeOrSteps } from './recipe-or-steps.ts';

export type JobBody = OperationRequest<'createJob'>['body'];

/** What the options of `submit` say of a job. */
export type RequestArguments = RecipeArguments & {
  inputUrls: readonly string[];
  format?: string | undefined;
  webhookUrl?: string | undefined;
  speed?: Speed | undefined;
  metadata?: Record<string, string> | undefined;
};

/**
 * The request that was typed, checked by the schema that the service itself checks it by.
 * @throws CliError `usage` with the schema's own messages
 */
export function buildRequest(typed: RequestArguments): JobBody {
  const { inputUrls, webhookUrl, speed, metadata, format } = typed;
  const { defaultFormat, ...work } = recipeOrSteps(typed);
  const body = {
    ...work,
    ...inputFields(inputUrls),
    output: { format: format ?? defaultFormat },
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(speed === undefined ? {} : { speed }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const checked = jobRequestSchema.safeParse(body);
  if (checked.success) return body as JobBody;
  const details = checked.error.issues.map(detailOf);
  const message = details.map(({ path, message: what }) => `${path}: ${what}`).join('; ');
  throw new CliError('usage', message, { details, hint: '"recipes <name>" shows the options of a recipe.' });
}

/** A request has another field where there are several inputs. */
export function inputFields(urls: readonly string[]) {
  const inputs = urls.map((url) => ({ url }));
  return inputs.length === 1 ? { input: inputs[0] } : { inputs };
}

/** An issue under the option that it is about. */
function detailOf(issue: z.core.$ZodIssue): { path: string; message: string } {
  const unknown = issue.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
  const [field = '', name = '', ...deeper] = [...issue.path, ...unknown].map(String);
  const message = unknown.length === 0 ? issue.message : 'The recipe has no such parameter';
  if (field === 'recipe' || field === 'output') return { path: `--${optionName(name)}`, message };
  if (field === 'input' || field === 'inputs') return { path: 'input', message };
  const place = [name, ...deeper].filter((part) => part !== '').join('.');
  return { path: `--${optionName(field)}`, message: place === '' ? message : `${place}: ${message}` };
}
