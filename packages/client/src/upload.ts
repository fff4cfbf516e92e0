import type { Client } from './client.ts';
import type { Sleep } from './sleep.ts';

/** The file to upload. `putRange` reads its bytes. */
export type UploadSource = { name: string; sizeBytes: number; contentType?: string | undefined };

/** A PUT of a range of the file (`start` inclusive, `end` exclusive) to a presigned URL. */
export type RangePut = {
  url: string;
  start: number;
  end: number;
  signal: AbortSignal;
  /** Called with the bytes of the range sent so far. */
  onProgress: (bytes: number) => void;
};

/** An upload in parts that is not complete. */
export type UnfinishedUpload = { inputUrl: string; uploadId: string };

/** Remembers the unfinished upload of one file, so that a later call continues it. */
export type UploadMemory = {
  load(): Promise<UnfinishedUpload | undefined>;
  save(unfinished: UnfinishedUpload): Promise<void>;
  clear(): Promise<void>;
};

export type Upload = {
  client: Client;
  source: UploadSource;
  /** Sends one range and returns its ETag. Throws ApiError, retryable if a new attempt may succeed. */
  putRange: (put: RangePut) => Promise<string>;
  signal: AbortSignal;
  sleep: Sleep;
  /** Called with the bytes of the file sent so far; fewer than before if a part is sent again. */
  onProgress: (bytes: number) => void;
  /** Makes idempotency keys. Without it, as on a page of another origin, no POST is repeated. */
  newId?: (() => string) | undefined;
  memory?: UploadMemory | undefined;
};
