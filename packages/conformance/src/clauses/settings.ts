import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expect, expectEqual, fieldAt, formatValue } from '../expectation.ts';
import { expectSuccess } from '../http/call.ts';
import { withDefaultWebhook } from '../jobs/default-webhook.ts';

const path = '/api/v1/settings';

export const settings: Clause[] = section('Settings record', [
  {
    id: 'settings.default-webhook-url',
    sentence:
      'defaultWebhookUrl | string or null | Webhook target for jobs without their own `webhookUrl`. `null` means no default.',
    check: async (run) => {
      const url = 'https://unreachable.invalid/default';
      await withDefaultWebhook(run, url, () => expectSetting(run, 'defaultWebhookUrl', (value) => value === url));
      await withDefaultWebhook(run, null, () => expectSetting(run, 'defaultWebhookUrl', (value) => value === null));
    },
  },
  {
    id: 'settings.default-storage-provider-id',
    sentence: 'defaultStorageProviderId | string or null | `null` when none is set.',
    check: async (run) => {
      const name = 'defaultStorageProviderId';
      await expectSetting(run, name, (value) => value === null || typeof value === 'string');
      const { [name]: previous = null } = expectSuccess(await run.api('GET', path));
      try {
        const unknown = await run.api('PUT', path, { body: { [name]: 'sp_of_nobody' } });
        expectEqual(unknown.status, 400, `status of a PUT with an unknown ${name}`);
        await expectSetting(run, name, (value) => value === previous);
        expectSuccess(await run.api('PUT', path, { body: { [name]: null } }));
        await expectSetting(run, name, (value) => value === null);
      } finally {
        await run.api('PUT', path, { body: { [name]: previous } });
      }
    },
  },
  {
    id: 'settings.updated-at',
    sentence: 'updatedAt | string | ISO 8601 UTC timestamp with milliseconds.',
    check: (run) => expectSetting(run, 'updatedAt', isInstant),
  },
]);

async function expectSetting(run: SuiteRun, name: string, isRight: (value: unknown) => boolean): Promise<void> {
  const value = fieldAt(expectSuccess(await run.api('GET', path)), name);
  expect(isRight(value), `${name} is ${formatValue(value)}`);
}

function isInstant(value: unknown): boolean {
  const hasForm = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
  return hasForm && !Number.isNaN(Date.parse(value));
}
