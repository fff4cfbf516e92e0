import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { addJobOptions, addRecipeOptions, recipeParametersOf } from '../request/job-options.ts';
import { idempotencyOption } from '../submit/create-once.ts';
import { addSourceOptions, estimate, type SourceOptions } from '../submit/estimate.ts';
import type { SubmitOptions } from '../submit/prepare-request.ts';
import { submit } from '../submit/submit.ts';

type Options = SubmitOptions & SourceOptions & { dryRun?: boolean };

export const submitCommand: CommandFactory = (context) => {
  const command = new Command('submit').description(
    'Submits a job and prints its id. Uploads inputs that are local files.',
  );
  addJobOptions(command)
    .option(...idempotencyOption)
    .option('--wait', 'waits until the job is terminal, then shows it')
    .option('--download [path]', 'waits, then downloads the files to this file or folder; place it after the inputs')
    .option('--force', 'overwrites existing files')
    .option('--dry-run', 'shows the estimated time and price instead; uploads and submits nothing');
  addSourceOptions(command);
  return addRecipeOptions(command).action(async (inputs: string[], options: Options) => {
    const submission = { inputs, parameters: recipeParametersOf(options), options };
    context.setExit(await (options.dryRun ? estimate : submit)(context, submission));
  });
};

export const estimateCommand: CommandFactory = (context) => {
  const command = new Command('estimate').description(
    'Estimates the time and price of a job. Uploads and submits nothing.',
  );
  addSourceOptions(addJobOptions(command));
  return addRecipeOptions(command).action(async (inputs: string[], options: SubmitOptions & SourceOptions) =>
    context.setExit(await estimate(context, { inputs, parameters: recipeParametersOf(options), options })),
  );
};
