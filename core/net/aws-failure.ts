/** Error names of throttled AWS calls (AWS SDKs Reference, "Retry behavior"). */
const throttling = /Throttl|ThroughputExceeded|RequestLimitExceeded|TooManyRequests|SlowDown|BandwidthLimit/;

export function isThrottling({ name }: Error): boolean {
  return throttling.test(name);
}

/** Codes of a connection that broke while the body of a response was read. */
const brokenConnection = ['ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'TimeoutError'];

/** S3 answers 400 if the bytes of an upload stop coming. */
const transientRejections = /^RequestTimeout/;

/**
 * The failure of a call to AWS. Undefined for any other error.
 * - `outage`: the service failed, throttled or was unreachable, so that the same call may succeed later.
 * - `rejection`: AWS rejected the call, for want of a permission or of the bucket: so it will until the operator acts.
 */
export function awsFailureOf(error: unknown): { kind: 'outage' | 'rejection'; code: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  // Every error of an AWS SDK client has `$metadata`, connection errors too.
  if (!('$metadata' in error)) return brokenConnection.includes(code) ? { kind: 'outage', code } : undefined;
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
  const status = httpStatusCode ?? ('$fault' in error && error.$fault === 'client' ? 400 : 500);
  const mayPass = status >= 500 || isThrottling(error) || transientRejections.test(code);
  return { kind: mayPass ? 'outage' : 'rejection', code };
}
