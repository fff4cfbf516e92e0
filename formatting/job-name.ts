import { inputUrls, type WithInputs } from '../core/jobs/request-inputs.ts';

/** What to call a job: the name of its first input, and how many follow. */
export function jobName({ request }: { request: WithInputs }): string {
  const [first = '', ...others] = inputUrls(request);
  return others.length === 0 ? inputName(first) : `${inputName(first)} and ${others.length} more`;
}

/** What to call a job by: the file name in its input's URL, else the host. It is only ever shown as text. */
export function inputName(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const name = decoded(parsed.pathname.split('/').filter(Boolean).at(-1) ?? '');
  return name || parsed.host || url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
