/**
 * What a test of the default webhook has shown. The API reports a receiver without a response as 502 or 504, which a
 * proxy in front of a receiver answers too.
 */
export function webhookTestResult({ ok, status }: { ok: boolean; status: number }): string {
  if (ok) return `Delivered: the receiver answered ${status}.`;
  if (status === 502) return 'Not delivered: the receiver could not be reached, or its proxy answered 502.';
  if (status === 504) return 'Not delivered: the receiver took too long, or its proxy answered 504.';
  return `Not delivered: the receiver answered ${status}.`;
}

/** What there is to say of an ended job without a delivery attempt. Attempts are kept for 30 days. */
export const noDeliveries =
  'No webhook was sent in the last 30 days. A webhook is sent when a job ends, if the job or the settings have a URL for it.';
