import { expectSuccess } from '../http/expect-response.ts';
import type { SuiteRun } from '../run.ts';

const path = '/api/v1/settings';

/** Does something while the default webhook is this one, and puts back the one that was there. */
export async function withDefaultWebhook<T>(
  run: SuiteRun,
  url: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const { defaultWebhookUrl = null } = expectSuccess(await run.api('GET', path));
  try {
    await setDefaultWebhook(run, 'PUT', url);
    return await work();
  } finally {
    await run.api('PUT', path, { body: { defaultWebhookUrl } });
  }
}

/** Sets the default webhook by one of the two methods, and returns the answer. */
export async function setDefaultWebhook(run: SuiteRun, method: 'POST' | 'PUT', url: string | null) {
  return expectSuccess(await run.api(method, path, { body: { defaultWebhookUrl: url } }));
}
