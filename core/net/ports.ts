import type { UrlScheme } from './check-url.ts';
import type { ReachableAddress } from './reachable-address.ts';

export type DownloadLimits = {
  maxBytes: number;
  /** For the whole download, redirects and resumptions included. */
  totalMs: number;
  /** Between two pieces of an answer, and until its status line. */
  idleMs: number;
  /** For the look-up, TCP and TLS of one connection. */
  connectMs: number;
};

export type DownloadRequest = {
  url: string;
  /** The file to write. It is replaced if it exists, and removed if the download fails. */
  path: string;
  limits: DownloadLimits;
  reachable: readonly ReachableAddress[];
  userAgent: string;
  signal?: AbortSignal;
  /** Called for every piece that was written. `bytes` falls back to 0 where a download must start again. */
  onProgress?: (progress: { bytes: number; totalBytes: number | undefined }) => void;
};

/** `contentType` is what the server says: a hint for messages, nothing to rely on. */
export type Download = {
  bytes: number;
  /** After redirects. It may carry a signature: never log it. */
  finalUrl: string;
  contentType?: string;
};

export type PostLimits = {
  /** For the look-up, TCP and TLS. */
  connectMs: number;
  /** For the whole attempt. */
  totalMs: number;
  maxResponseBytes: number;
};

export type PostRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  limits: PostLimits;
  schemes: readonly UrlScheme[];
  reachable: readonly ReachableAddress[];
  signal?: AbortSignal;
};
