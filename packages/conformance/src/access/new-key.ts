import type { SuiteRun } from '../clause.ts';
import { expect, expectField, formatValue } from '../expectation.ts';
import { expectSuccess } from '../http/call.ts';

export type NewKey = {
  key: string;
  name: string;
  /** Deletes the key. May be called several times. */
  revoke(): Promise<void>;
};

/** Runs `work` with a new key of the session's user, and deletes the key afterwards. */
export async function withNewKey<T>(run: SuiteRun, work: (key: NewKey) => Promise<T>): Promise<T> {
  const name = 'conformance suite';
  const made = expectSuccess(await run.session('POST', '/api/v1/keys', { body: { name } }));
  const path = `/api/v1/keys/${expectField(made, 'keyId', 'string')}`;
  let revoked = false;
  const revoke = async () => {
    if (revoked) return;
    const { status, text } = await run.session('DELETE', path);
    expect(status >= 200 && status < 300, `DELETE of a key returned ${status} ${formatValue(text)}`);
    revoked = true;
  };
  try {
    return await work({ key: expectField(made, 'key', 'string'), name, revoke });
  } finally {
    await revoke();
  }
}
