import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';
import { usageText } from '../show/usage-text.ts';

type Days = { from?: string; to?: string };

export const usageCommand: CommandFactory = (attend) =>
  new Command('usage')
    .description('Counts the jobs of each UTC day, with what they took in, needed and made.')
    .option('--from <date>', 'first day, such as 2026-03-01; 30 days before the last unless given')
    .option('--to <date>', 'last day; today unless given')
    .action(
      attend(async ({ client, printResult: answer, printNote: note }, query: Days) => {
        const usage = await client.getUsage({ query });
        answer(usage, usageText(usage.days));
        if (usage.truncated) note('There are more jobs than were counted, the newest: ask for fewer days.');
      }),
    );
