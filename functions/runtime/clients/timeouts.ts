/**
 * How long a call to AWS may take before it is tried again: without these a lost packet would hold a request until
 * the function's own time-out. Milliseconds.
 */
export const clientTimeouts = {
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
};
