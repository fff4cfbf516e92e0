import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import { nodeModule } from './media-source.ts';
import type { OperationResult } from './operation.ts';
import type { Sleep } from './sleep.ts';
import { storageRejectionError, storageUnreachableError } from './storage-error.ts';
import { mayHaveExpired, uploadRetryDelayMs } from './upload-retry.ts';

export type Job = OperationResult<'getJob'>;

export type JobFile = {
  filename: string;
  mimeType: string;
  /** Signed, for an hour by default. */
  url: string;
  /** Downloads the file. A broken connection continues where it stopped. */
  blob(): Promise<Blob>;
  /** Downloads the file to a path, in Node. */
  save(path: string): Promise<void>;
};

type Downloads = { client: Client; signal: AbortSignal; sleep: Sleep };

export function jobFiles(downloads: Downloads, job: Job): Record<string, JobFile> {
  const entries = Object.entries(job.output_files ?? {}).map(([name, { filename, mime_type, storage_url }]) => {
    const renew = async () => {
      const { output_files = {} } = await downloads.client.getJob({ params: { id: job.jobId } });
      return output_files[name]?.storage_url ?? storage_url;
    };
    const blob = async () => {
      const chunks: Chunk[] = [];
      await readAll(downloads, { first: storage_url, renew }, (chunk, position) => {
        if (position === 0) chunks.length = 0;
        chunks.push(chunk);
      });
      return new Blob(chunks, { type: mime_type });
    };
    const file: JobFile = {
      ...{ filename, mimeType: mime_type, url: storage_url, blob },
      async save(path) {
        const needsNode = 'save() needs Node: a page offers the URL of the file, or its blob().';
        const { promises } = nodeModule('node:fs', needsNode) as typeof import('node:fs');
        const target = await promises.open(path, 'w');
        try {
          const write = (chunk: Chunk, position: number) => target.write(chunk, 0, chunk.length, position);
          await target.truncate(await readAll(downloads, { first: storage_url, renew }, write));
        } finally {
          await target.close();
        }
      },
    };
    return [name, file];
  });
  return Object.fromEntries(entries);
}

type Chunk = Uint8Array<ArrayBuffer>;
/** Takes the bytes of a file in order. They begin again at 0 if the file has changed. */
type Sink = (chunk: Chunk, position: number) => unknown;
type Received = { bytes: number; etag: string | null };

/**
 * Reads a URL to its end, from where a broken connection stopped, under a new URL once this one has expired. Returns the size
 * of the file.
 */
async function readAll(
  { signal, sleep }: Downloads,
  { first, renew }: { first: string; renew: () => Promise<string> },
  sink: Sink,
): Promise<number> {
  const received: Received = { bytes: 0, etag: null };
  let url = first;
  for (let attempts = 1, before = 0; ; attempts += 1) {
    try {
      await readRest({ url, signal }, received, sink);
      return received.bytes;
    } catch (error) {
      if (received.bytes > before) attempts = 1;
      before = received.bytes;
      const isExpired = attempts === 1 && mayHaveExpired(error);
      const delayMs = isExpired ? 0 : uploadRetryDelayMs(error, attempts);
      if (delayMs === undefined) throw error;
      await sleep(delayMs, signal);
      if (isExpired) url = await renew();
    }
  }
}

async function readRest(
  { url, signal }: { url: string; signal: AbortSignal },
  received: Received,
  sink: Sink,
): Promise<void> {
  const interrupted = (cause: unknown) => {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ApiError) throw cause;
    throw storageUnreachableError(cause, 'The download was interrupted.');
  };
  // A range from a byte to the end needs no preflight (Fetch standard, "simple range header value").
  const headers: Record<string, string> = received.bytes > 0 ? { range: `bytes=${received.bytes}-` } : {};
  const response = await fetch(url, { headers, signal }).catch(interrupted);
  const { ok, status, body } = response;
  if (!ok || body === null) throw storageRejectionError('the download', status);
  const etag = response.headers.get('etag');
  const isRest = status === 206 && etag === received.etag;
  if (!isRest) received.bytes = 0;
  received.etag = etag;
  // The file changed: the range is of another one.
  if (status === 206 && !isRest) throw storageUnreachableError(undefined, 'The file changed during the download.');
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(interrupted);
    if (done) return;
    await sink(value, received.bytes);
    received.bytes += value.length;
  }
}
