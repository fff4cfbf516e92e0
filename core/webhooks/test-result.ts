import type { PostOutcome } from '../net/post-outcome.ts';

/**
 * What a test of a webhook target reports: the target's own status, and where there is none, or only one that
 * belongs to an answer which never ended, what a proxy would say: 504 for one that took too long, else 502.
 */
export function webhookTestResult(outcome: PostOutcome): { ok: boolean; status: number } {
  if (outcome.ok) return { ok: true, status: outcome.status };
  const { status, errorClass } = outcome;
  if (status !== undefined && (status < 200 || status >= 300)) return { ok: false, status };
  const tookTooLong = errorClass === 'timeout' || errorClass === 'connect-timeout';
  return { ok: false, status: tookTooLong ? 504 : 502 };
}
