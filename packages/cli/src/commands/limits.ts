import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { formatLimit, limitTitle } from '../formatting/limits.ts';
import { table } from '../show/sanitize.ts';

export const limitsCommand: CommandFactory = (runAction) =>
  new Command('limits').description('Shows your limits and how much of them you use.').action(
    runAction(async ({ client, printResult }) => {
      const result = await client.getLimits();
      const rows = result.limits.map(({ limit, value, use }) => [
        limitTitle(limit),
        use === null ? '' : formatLimit(limit, use),
        formatLimit(limit, value),
      ]);
      printResult(result, table(['LIMIT', 'USED', 'MAXIMUM'], rows, 'You have no limits.'));
    }),
  );
