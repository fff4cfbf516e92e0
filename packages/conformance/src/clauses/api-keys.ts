import { withNewKey } from '../access/new-key.ts';
import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expect } from '../expectation.ts';
import { expectSuccess, expectUnauthorized } from '../http/call.ts';

export const apiKeys: Clause[] = section('API key', [
  {
    id: 'key.form',
    sentence: 'Starts with the prefix `nte_` and is 52 characters long.',
    check: expectOwnKeyForm,
  },
  {
    id: 'key.shown-once',
    sentence:
      'Created in the dashboard with a user-given name; the full value is displayed once at creation and cannot be retrieved later.',
    needs: ['session'],
    check: (run) =>
      withNewKey(run, async ({ key, name }) => {
        const list = await run.session('GET', '/api/v1/keys');
        expectSuccess(list);
        expect(list.text.includes(JSON.stringify(name)), 'the name of a new key is not in the list of keys');
        expect(!list.text.includes(key), 'the list of keys shows the full value of a key');
      }),
  },
  {
    id: 'key.revoked',
    sentence: 'Can be deleted (revoked) in the dashboard.',
    needs: ['session'],
    check: (run) => withNewKey(run, (made) => isDeleted(run, made)),
  },
]);

export async function expectOwnKeyForm({ api, target: { apiKey } }: SuiteRun): Promise<void> {
  expectSuccess(await api('GET', '/api/v1/settings'));
  expectKeyForm(apiKey, 'the key of this run');
}

/** Expects the specified format of a key. The message does not contain the key. */
export function expectKeyForm(key: string, what: string): void {
  expect(key.startsWith('nte_'), `${what} does not start with nte_`);
  expect(key.length === 52, `${what} has ${key.length} characters, not 52`);
}

async function isDeleted(run: SuiteRun, { key, revoke }: { key: string; revoke(): Promise<void> }): Promise<void> {
  const call = run.withKey(key);
  expectSuccess(await call('GET', '/api/v1/settings'));
  await revoke();
  expectUnauthorized(await call('GET', '/api/v1/settings'), 'a key that was deleted');
}
