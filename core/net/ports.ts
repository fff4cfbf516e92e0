import type { ReachableAddress, UrlScheme } from './check-url.ts';

export type DownloadLimits = {
  maxBytes: number;
  /** Whole download, including redirects and resumed connections. */
  totalMs: number;
  /** Between two reads of a response, and until its status line. */
  idleMs: number;
  /** What a host must send while it is waited for: fewer bytes in a window fail the download. */
  minRate: { bytes: number; windowMs: number };
  /** DNS lookup, TCP and TLS of one connection. */
  connectMs: number;
};

export type DownloadRequest = {
  url: string;
  /** The file to write. An existing file is replaced. It is removed if the download fails. */
  path: string;
  limits: DownloadLimits;
  reachable: readonly ReachableAddress[];
  userAgent: string;
  signal?: AbortSignal;
  /** Called after every write. `bytes` returns to 0 if the download has to start again. */
  onProgress?: (progress: { bytes: number; totalBytes: number | undefined }) => void;
};

/** A header whose value changes whenever the bytes of the file do. */
export type Validator = { header: 'etag' | 'last-modified'; value: string };

/** One version of the file that a URL leads to, of which its server serves ranges. */
export type PinnedUrl = { validator: Validator; sizeBytes: number };

/** `shortfall` is a sentence about a host that twice ended its body at the same byte, before the length that it states. */
export type Download = {
  bytes: number;
  /** The file name that the server states. It may contain anything. */
  name?: string | undefined;
  shortfall?: string | undefined;
};

/** An input that was not downloaded. `pinned` is undefined if its server serves no ranges of a version that it names. */
export type LargeInput = { sizeBytes: number; pinned: PinnedUrl | undefined; name?: string | undefined };

export type PostLimits = {
  /** DNS lookup, TCP and TLS. */
  connectMs: number;
  /** The whole attempt. */
  totalMs: number;
  /** The body of the response, from the end of its head. */
  bodyMs: number;
  /** Of the body. What follows is not read. */
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

/**
 * Why a POST failed. `address-forbidden`: the URL or an address that it resolves to is not allowed. `protocol`: the
 * response is not HTTP. `redirect`: a 3xx, which is not followed. `http-status`: any other status except 2xx. `aborted`:
 * the sender stopped, for example because its function ends.
 */
export const postErrorClasses = [
  'address-forbidden',
  'dns',
  'connect',
  'connect-timeout',
  'tls',
  'reset',
  'timeout',
  'protocol',
  'redirect',
  'http-status',
  'aborted',
] as const;

export type PostErrorClass = (typeof postErrorClasses)[number];

/**
 * The outcome of one POST. Success is a response with a 2xx status whose head arrived within the time limit, whatever
 * becomes of its body.
 */
export type PostOutcome = PostFacts & (PostSuccess | PostFailure);

export type PostFacts = {
  /** Whole milliseconds from the DNS lookup to the end of the response, or until its body is no longer read. */
  latencyMs: number;
  address?: string;
  /** The first 4 KiB of the response body as text. Invalid UTF-8 and control characters become U+FFFD. */
  responseBody: string;
};

export type PostSuccess = { ok: true; status: number };

/**
 * `status` is that of the response, if its head arrived. `error` is a sentence for the owner of the job. It names the host
 * and no other part of the URL.
 */
export type PostFailure = { ok: false; status?: number; errorClass: PostErrorClass; error: string };
