import * as z from 'zod';

const maxUsd = 1_000_000;

const usd = (description: string) => z.number().min(0).max(maxUsd).optional().meta({ description });

/** Limits of what the jobs of an owner or of a key may cost. */
export const spendingLimitsShape = {
  usdPerDay: usd('Dollars that the jobs created in one UTC day may cost together.'),
  usdPerMonth: usd('Dollars that the jobs created in one UTC month may cost together.'),
};

export type SpendingLimits = { usdPerDay?: number | undefined; usdPerMonth?: number | undefined };
