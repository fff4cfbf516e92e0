/**
 * Prices in US dollars for US East (N. Virginia), as published in 2026; docs/cost.md says where each was read and
 * which are second-hand. Free tiers and discounts are left out.
 */
export const pricesReadOn = '2026-11-21';

export const prices = {
  lambdaGbSecond: { arm64: 0.0000133334, x86_64: 0.0000166667 },
  lambdaRequest: 0.2 / 1e6,
  /** Of /tmp beyond the 0.5 GB that every function has. */
  lambdaStorageGbSecond: 0.0000000309,
  apiRequest: 1 / 1e6,
  cloudFrontRequest: 1 / 1e6,
  tableWriteUnit: 0.625 / 1e6,
  tableReadUnit: 0.125 / 1e6,
  queueRequest: 0.4 / 1e6,
  stateTransition: 0.025 / 1e3,
  busEvent: 1 / 1e6,
  s3Put: 0.005 / 1e3,
  s3GbMonth: 0.023,
  transferOutGb: 0.09,
  logGb: 0.5,
} as const;

/** What a stage costs by the month while nothing happens. */
export const monthlyPrices = {
  /** One function a minute of half a GB for a tenth of a second, its logs and reads of the index. */
  reconcile: 0.15,
  metric: 0.3,
  alarmMetric: 0.1,
  dashboard: 3,
  firewall: 6,
} as const;

/** What others publish for a minute of H.264 at up to 30 frames a second. */
export const otherPrices = {
  'AWS MediaConvert, Basic': { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
  Coconut: { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
} as const;
