import { inputUrls, type WithInputs } from '../core/jobs/request-inputs.ts';
import { inputName } from './input-name.ts';

/** What to call a job: the name of its first input, and how many follow. */
export function jobName({ request }: { request: WithInputs }): string {
  const [first = '', ...others] = inputUrls(request);
  return others.length === 0 ? inputName(first) : `${inputName(first)} and ${others.length} more`;
}
