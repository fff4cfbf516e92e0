import { settingsSchema } from '../../lib/settings/settings.ts';
import { table } from '../markdown/table.ts';

/** What a stage takes at most from its callers, unless its settings say otherwise. */
export function stageLimitsTable(): string {
  const settings = settingsSchema.parse({ stage: 'any' });
  const { inputLimits, throttling, maxQueuedHours, signedUrlSeconds, outputRetentionDays } = settings;
  const { sizeBytes, durationSeconds, width, height, streams, framesPerSecond } = inputLimits;
  const input = [
    `${sizeBytes / 1e9} GB`,
    `${durationSeconds / 3600} hours`,
    `${width} x ${height} pixels`,
    `${streams} streams`,
    `${framesPerSecond} frames a second`,
  ];
  const { requestsPerSecond, burst } = throttling;
  return table(
    ['Setting', 'What', '>At most, unless set'],
    [
      ['`inputLimits`', 'an input', input.join(', ')],
      [
        '`throttling`',
        'requests of all callers together, a second; at once',
        `${requestsPerSecond}; ${burst}`,
      ],
      ['`maxQueuedHours`', 'waiting for a worker', `${maxQueuedHours} hours`],
      ['`signedUrlSeconds`', 'life of a signed URL', `${signedUrlSeconds / 60} minutes`],
      ['`outputRetentionDays`', 'the files of a job', `${outputRetentionDays} days`],
    ],
  );
}
