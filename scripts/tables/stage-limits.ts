import { ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { settingsSchema } from '../../lib/settings/settings.ts';
import { table } from '../markdown/table.ts';

/** The default limits of a stage. */
export function stageLimitsTable(): string {
  const settings = settingsSchema.parse({ stage: 'any' });
  const { inputLimits, throttling, maxQueuedHours, signedUrlSeconds, outputRetentionDays } = settings;
  const { sizeBytes, durationSeconds, width, height, streams, framesPerSecond } = inputLimits;
  const input = [
    `${sizeBytes / 1e9} GB`,
    `${durationSeconds / 3600} hours`,
    `${width} x ${height} pixels`,
    `${streams} streams`,
    `${framesPerSecond} frames per second`,
  ];
  const { requestsPerSecond, burst } = throttling;
  const { maxUnfinishedJobs, maxRunningJobs, maxUploadBytesPerDay, ...others } = ownerLimitsSchema.parse({});
  const { maxRedeliveriesPerJob, maxSlowDeliveries, maxKeys } = others;
  const owner = [
    maxUnfinishedJobs.toLocaleString('en'),
    `${maxRunningJobs}`,
    `${maxUploadBytesPerDay / 1e9} GB`,
    `${maxRedeliveriesPerJob}`,
    `${maxSlowDeliveries}`,
    maxKeys.toLocaleString('en'),
  ];
  return table(
    ['Setting', 'Limit', '>Default'],
    [
      ['`inputLimits`', 'size of an input', input.join(', ')],
      [
        '`ownerLimits`',
        'of one owner, with `tenancy` `multi`: unfinished jobs; running jobs; uploads in a UTC day; redeliveries of a job; deliveries at the same time to slow receivers; valid API keys',
        owner.join('; '),
      ],
      ['`throttling`', 'requests of all callers per second; burst', `${requestsPerSecond}; ${burst}`],
      ['`maxQueuedHours`', 'time in the queue', `${maxQueuedHours} hours`],
      ['`signedUrlSeconds`', 'validity of a signed URL', `${signedUrlSeconds / 60} minutes`],
      ['`outputRetentionDays`', 'retention of output files', `${outputRetentionDays} days`],
    ],
  );
}
