import { ClauseViolation, expect, formatValue } from '../expectation.ts';
import { fetchFailureReason } from '../http/call.ts';

/** Expects that a URL downloads a file, and only with its signature. Returns the bytes. */
export async function expectSignedUrl(url: unknown, what: string): Promise<Buffer> {
  expect(typeof url === 'string' && URL.canParse(url), `${what} is ${formatValue(url)}, which is not a URL`);
  const { ok, status, bytes } = await download(url, what);
  expect(ok && bytes.length > 0, `${what} returns ${status} with ${bytes.length} bytes`);
  const bare = new URL(url);
  bare.search = '';
  const unsigned = await download(bare.href, what);
  expect(!unsigned.ok, `${what} is public: it returns ${unsigned.status} without its signature`);
  return bytes;
}

/** Enough for the tiny files of the suite. */
const timeoutMs = 60_000;

async function download(url: string, what: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    return { ok: response.ok, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  } catch (cause) {
    throw new ClauseViolation(`${what} cannot be downloaded: ${fetchFailureReason(cause)}`, { cause });
  }
}
