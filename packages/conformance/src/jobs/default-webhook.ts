import type { SuiteRun } from '../clause.ts';
import { expectSuccess } from '../http/call.ts';

const path = '/api/v1/settings';

/** Runs `work` with this default webhook URL, and restores the previous one. */
export async function withDefaultWebhook<T>(run: SuiteRun, url: string | null, work: () => Promise<T>): Promise<T> {
  const { defaultWebhookUrl = null } = expectSuccess(await run.api('GET', path));
  try {
    await setDefaultWebhook(run, 'PUT', url);
    return await work();
  } finally {
    await run.api('PUT', path, { body: { defaultWebhookUrl } });
  }
}

export async function setDefaultWebhook(run: SuiteRun, method: 'POST' | 'PUT', url: string | null) {
  return expectSuccess(await run.api(method, path, { body: { defaultWebhookUrl: url } }));
}
