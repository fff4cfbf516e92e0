import { expect, shown } from '../expectation.ts';

/** Expects that a URL downloads a file, and that it does so by its signature; returns the bytes. */
export async function expectSignedUrl(url: unknown, what: string): Promise<Buffer> {
  expect(typeof url === 'string' && URL.canParse(url), `${what} is ${shown(url)}, which is no URL`);
  const file = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(file.ok && bytes.length > 0, `${what} answers ${file.status} with ${bytes.length} bytes`);
  const bare = new URL(url);
  bare.search = '';
  const unsigned = await fetch(bare, { signal: AbortSignal.timeout(60_000) });
  await unsigned.body?.cancel();
  expect(!unsigned.ok, `${what} is open to all: it answers ${unsigned.status} without its signature`);
  return bytes;
}
