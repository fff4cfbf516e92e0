/** What there is to say of an ended job without a delivery attempt. Attempts are kept for 30 days. */
export const noDeliveries =
  'No webhook was sent in the last 30 days. A webhook is sent when a job ends, if the job or the settings have a URL for it.';
