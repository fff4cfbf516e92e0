import { type Clause, section } from '../clause.ts';
import { expect, fieldAt, formatValue } from '../expectation.ts';
import { expectSuccess } from '../http/expect-response.ts';
import { withDefaultWebhook } from '../jobs/default-webhook.ts';
import type { SuiteRun } from '../suite-run.ts';

export const settings: Clause[] = section('Settings record', [
  {
    id: 'settings.default-webhook-url',
    sentence:
      'defaultWebhookUrl | string or null | Webhook target for jobs without their own `webhookUrl`. `null` means no default.',
    check: async (run) => {
      const url = 'https://unreachable.invalid/default';
      await withDefaultWebhook(run, url, () =>
        expectSetting(run, 'defaultWebhookUrl', (value) => value === url),
      );
      await withDefaultWebhook(run, null, () =>
        expectSetting(run, 'defaultWebhookUrl', (value) => value === null),
      );
    },
  },
  {
    id: 'settings.default-storage-provider-id',
    sentence: 'defaultStorageProviderId | string or null | `null` when none is set.',
    check: (run) =>
      expectSetting(run, 'defaultStorageProviderId', (value) => value === null || typeof value === 'string'),
  },
  {
    id: 'settings.updated-at',
    sentence: 'updatedAt | string | ISO 8601 UTC timestamp with milliseconds.',
    check: (run) => expectSetting(run, 'updatedAt', isInstant),
  },
]);

async function expectSetting(
  run: SuiteRun,
  name: string,
  isRight: (value: unknown) => boolean,
): Promise<void> {
  const value = fieldAt(expectSuccess(await run.api('GET', '/api/v1/settings')), name);
  expect(isRight(value), `${name} is ${formatValue(value)}`);
}

function isInstant(value: unknown): boolean {
  const hasForm = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
  return hasForm && !Number.isNaN(Date.parse(value));
}
