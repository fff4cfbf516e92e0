import * as z from 'zod';

const maxUsd = 1_000_000;

const usd = (description: string) => z.number().min(0).max(maxUsd).optional().meta({ description });

export const spendingLimitsShape = {
  usdPerDay: usd('Dollars that the jobs created in one UTC day may cost together.'),
  usdPerMonth: usd('Dollars that the jobs created in one UTC month may cost together.'),
};

export type SpendingLimits = { usdPerDay?: number | undefined; usdPerMonth?: number | undefined };

const count = z.int().min(0);

/**
 * Limits of one API key. Each is compared with the use of the key's owner by all of its keys, and has an effect only
 * below the owner's own limit. Exception: those of spending, which only the jobs of the key and of the keys that it created use.
 */
export const keyLimitsSchema = z.strictObject({
  maxUnfinishedJobs: count.optional().meta({ description: 'Jobs that have not ended.' }),
  maxUploadBytesPerDay: count.optional().meta({ description: 'Bytes of uploads created in one UTC day.' }),
  maxRedeliveriesPerJob: count.optional().meta({ description: 'Webhook redeliveries of one job.' }),
  ...spendingLimitsShape,
});

export type KeyLimits = z.infer<typeof keyLimitsSchema>;
