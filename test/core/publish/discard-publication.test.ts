import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Publication } from '../../../core/jobs/publication.ts';
import { abortPublication, discard, discardPublication } from '../../../core/publish/discard-publication.ts';
import type { ObjectStore } from '../../../core/storage/object-store.ts';
import { uploadMsOfJoin, uploadMsOfRetry } from '../../../core/storage/upload-time.ts';
import { memoryObjectStore } from '../../../lab/simulation/memory/object-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const job = { ownerId: 'acme', jobId: 'job-1' };
const requestMs = 100;

/** The uploads of a sprite with all sheets and its cues, at a provider that takes 100 ms for each request. */
async function aSpriteAtProvider() {
  const memory = memoryObjectStore();
  const later = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await new Promise((resolve) => setTimeout(resolve, requestMs));
    return call();
  };
  const store: ObjectStore = {
    ...memory,
    remove: (...file) => later(() => memory.remove(...file)),
    abort: (upload) => later(() => memory.abort(upload)),
    unfinished: (key) => later(() => memory.unfinished(key)),
  };
  const names = [...Array.from({ length: 50 }, (_, sheet) => `sprite-${sheet}.jpg`), 'sprite.vtt'];
  const uploads = await Promise.all(
    names.map(async (name) => {
      const key = `${job.jobId}/${name}`;
      const { uploadId } = await memory.begin({ key, mimeType: '', mark: 'mark' }, new AbortController().signal);
      return { key, mimeType: '', sizeBytes: 1, uploadId };
    }),
  );
  const result = { files: {}, inputSizeBytes: 1, mediaSeconds: 1 };
  const publication: Publication = { storageProviderId: 'sp_1', mark: 'mark', uploads, result };
  return { memory, publication, deps: { openObjectStore: async () => store } };
}

it.each([
  ['discarded', discard],
  ['completed', abortPublication],
])('the uploads of a %s publication are aborted within the five seconds of a sweep', async (_, end) => {
  const { memory, publication, deps } = await aSpriteAtProvider();
  const begun = Date.now();
  const ended = end(deps.openObjectStore, job, publication).then(() => Date.now() - begun);
  await vi.runAllTimersAsync();
  expect(await ended).toBeLessThan(5_000);
  expect(memory.uploads.size).toBe(0);
});

it('the uploads of another publication of the job stay, which may become the result', async () => {
  const { memory, publication, deps } = await aSpriteAtProvider();
  const other = { key: `${job.jobId}/sprite.vtt`, mimeType: '', mark: 'other' };
  const { uploadId } = await memory.begin(other, new AbortController().signal);
  const clock = { now: () => new Date(), sleep: () => new Promise<void>(() => undefined) };
  const onUnexpected = vi.fn();
  const discarded = discardPublication({ ...deps, clock, onUnexpected }, job, publication);
  await vi.runAllTimersAsync();
  await discarded;
  expect(onUnexpected).not.toHaveBeenCalled();
  expect([...memory.uploads.keys()]).toEqual([uploadId]);
});

it('what is visible of a publication is removed although its provider lists no uploads', async () => {
  const { memory, publication, deps } = await aSpriteAtProvider();
  for (const { key, uploadId = '', sizeBytes } of publication.uploads) {
    await memory.complete({ key, uploadId, etags: [], sizeBytes }, 'mark');
  }
  const store = await deps.openObjectStore();
  const unfinished = () => Promise.reject(new Error('AccessDenied'));
  const discarded = discard(async () => ({ ...store, unfinished }), job, publication);
  const rejected = expect(discarded).rejects.toThrow('AccessDenied');
  await vi.runAllTimersAsync();
  await rejected;
  expect(memory.objects.size).toBe(0);
});

it('a provider that does not answer holds a worker for less than what is left to keep the files', async () => {
  const { memory, publication } = await aSpriteAtProvider();
  const openObjectStore = async () => ({ ...memory, remove: () => new Promise<never>(() => undefined) });
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const onUnexpected = vi.fn();
  const begun = Date.now();
  const clock = { now: () => new Date(), sleep };
  const ended = discardPublication({ openObjectStore, clock, onUnexpected }, job, publication);
  await vi.runAllTimersAsync();
  await ended;
  const heldMs = Date.now() - begun;
  const leftMs = 40_000;
  expect(heldMs).toBeLessThan(leftMs - uploadMsOfJoin(0, leftMs));
  expect(heldMs).toBeLessThan(leftMs - uploadMsOfRetry(0, leftMs));
  const message = 'Discarding the publication took more than 20 seconds';
  expect(onUnexpected).toHaveBeenCalledExactlyOnceWith(job, expect.objectContaining({ message }));
});
