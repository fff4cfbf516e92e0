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
