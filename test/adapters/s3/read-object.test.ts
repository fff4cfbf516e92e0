import { once } from 'node:events';
import { expect, it } from 'vitest';
import { readObject } from '../../../adapters/s3/read-object.ts';
import { aStore } from './builders/fake-s3.ts';

it('a slow reader resumes however often its connection is closed', async () => {
  // More than the buffers between S3 and the reader hold.
  const film = Buffer.alloc(64 * 1024 * 1024, 'film');
  const closed: Promise<unknown>[] = [];
  const store = await aStore(
    film,
    ({ rest, response }) => {
      closed.push(once(response, 'close'));
      response.end(rest);
    },
    { socketTimeout: 250 },
  );
  const part = { key: 'film', start: 0, end: film.length, version: '"one"' };
  let bytes = 0;
  for await (const piece of readObject(store, part, { signal: new AbortController().signal })) {
    expect(piece.equals(film.subarray(bytes, bytes + piece.length))).toBe(true);
    bytes += piece.length;
    if (closed.length <= 7) await closed.at(-1);
  }
  expect(bytes).toBe(film.length);
  expect(store.asked.length).toBeGreaterThan(7);
});
