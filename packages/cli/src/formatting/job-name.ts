import { inputUrls, type WithInputs } from '@media-jobs/core/api';

/** The display name of a job: the name of its first input and the number of others. */
export function jobName({ request }: { request: WithInputs }): string {
  const [first = '', ...others] = inputUrls(request);
  return others.length === 0 ? inputName(first) : `${inputName(first)} and ${others.length} more`;
}

/** The display name of an input: the file name in its URL, else the host. Render it as text only. */
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
