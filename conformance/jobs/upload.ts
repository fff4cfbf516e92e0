import { expect, expectField } from '../expectation.ts';
import { expectSuccess } from '../http/expect-response.ts';
import type { SuiteRun } from '../run.ts';

/** Uploads a file, and returns the URL that names it as the input of a job. */
export async function upload(run: SuiteRun, bytes: Buffer): Promise<string> {
  const begun = expectSuccess(
    await run.api('POST', '/api/v1/uploads', {
      body: { sizeBytes: bytes.byteLength, filename: 'conformance.avi' },
    }),
  );
  const put = await fetch(expectField(begun, 'uploadUrl', 'string'), {
    method: 'PUT',
    body: new Uint8Array(bytes),
    signal: AbortSignal.timeout(run.timeouts.responseMs),
  });
  expect(put.ok, `the upload of a file was answered ${put.status} ${await put.text()}`);
  return expectField(begun, 'inputUrl', 'string');
}
