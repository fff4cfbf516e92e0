import { inputLimitsSchema } from '@media-jobs/video/probe';
import { ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { burstOf } from '../../lib/settings/requests.ts';
import { settingsSchema } from '../../lib/settings/settings.ts';
import { table } from '../markdown/table.ts';

/** The default limits of a stage. */
export function stageLimitsTable(): string {
  const settings = settingsSchema.parse({ stage: 'any' });
  const { requestsPerSecond, maxQueuedHours, signedUrlSeconds, outputRetentionDays } = settings;
  const { sizeBytes, durationSeconds, width, height, streams, framesPerSecond } = inputLimitsSchema.parse({});
  const input = [
    `${sizeBytes / 1e9} GB`,
    `${durationSeconds / 3600} hours`,
    `${width} x ${height} pixels`,
    `${streams} streams`,
    `${framesPerSecond} frames per second`,
  ];
  const { maxUnfinishedJobs, maxRunningJobs, maxUploadBytesPerDay, maxRedeliveriesPerJob } = ownerLimitsSchema.parse(
    {},
  );
  const owner = [
    maxUnfinishedJobs.toLocaleString('en'),
    `${maxRunningJobs}`,
    `${maxUploadBytesPerDay / 1e9} GB`,
    `${maxRedeliveriesPerJob}`,
  ];
  return table(
    ['Setting', 'Limit', '>Default'],
    [
      ['`inputLimits`: bytes and seconds', 'of an input', input.join(', ')],
      [
        '`ownerLimits`',
        'of one owner, with `tenancy` `multi`: unfinished jobs; running jobs; uploads in a UTC day; redeliveries of a job',
        owner.join('; '),
      ],
      [
        '`requestsPerSecond`',
        'requests of all callers per second; burst',
        `${requestsPerSecond}; ${burstOf(requestsPerSecond)}`,
      ],
      ['`maxQueuedHours`', 'time in the queue', `${maxQueuedHours} hours`],
      ['`signedUrlSeconds`', 'validity of a signed URL', `${signedUrlSeconds / 60} minutes`],
      ['`outputRetentionDays`', 'retention of output files', `${outputRetentionDays} days`],
    ],
  );
}
