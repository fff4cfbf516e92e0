/**
 * Why a POST did not succeed. `address-forbidden`: the URL or what it resolves to may not be reached. `protocol`: the
 * answer is not HTTP. `redirect`: a 3xx, never followed. `http-status`: any other status outside of 2xx. `aborted`:
 * the sender itself gave up, because it had to end.
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
  'response-too-large',
  'aborted',
] as const;

export type PostErrorClass = (typeof postErrorClasses)[number];

/**
 * How one POST ended. It succeeded when the answer's status is 2xx and the answer was complete within the limits of
 * time and size: a receiver that sends a 200 and then drips, resets or goes on without end has failed the attempt
 * (its `status` is kept).
 */
export type PostOutcome = PostFacts & (PostSuccess | PostFailure);

export type PostFacts = {
  /** From the look-up of the name to the end of the answer, in whole milliseconds. */
  latencyMs: number;
  /** The IP address that was connected to. */
  address?: string;
  /** The first 4 KiB of the answer's body as text; what is not UTF-8, and control characters, as U+FFFD. */
  responseBody: string;
};

export type PostSuccess = { ok: true; status: number };

/** `error` is one sentence for the receiver's owner; it names the host, never the rest of the URL. */
export type PostFailure = { ok: false; status?: number; errorClass: PostErrorClass; error: string };
