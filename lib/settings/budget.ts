import * as z from 'zod';

const usd = z.number().min(0.01, 'must be at least 0.01').max(1_000_000, 'must be at most 1000000');

/** What a stage is expected to cost. */
export const budgetSchema = z
  .strictObject({
    usdPerMonth: usd.meta({
      description:
        'Dollars that the whole AWS account may cost in a month. AWS Budgets sends a message at 80 % and at 100 %, and when 100 % are forecast.',
    }),
    usdPerDay: usd.optional().meta({
      description:
        'Dollars that the jobs that end within a day may cost before the alarm `job-spending`; unset: a tenth of `usdPerMonth`.',
    }),
    email: z.email('must be an e-mail address').meta({
      description: 'E-mail address that receives the messages of AWS Budgets.',
    }),
  })
  .meta({ description: 'A budget of the account and an alarm on the cost of jobs; unset: neither.' });

export type BudgetSettings = z.output<typeof budgetSchema>;

/** The cost of a day's jobs at which the alarm is raised, in dollars. */
export function dailyAlarmUsd({ usdPerDay, usdPerMonth }: BudgetSettings): number {
  return usdPerDay ?? usdPerMonth / 10;
}
