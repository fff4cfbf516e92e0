import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { addJobOptions, addRecipeOptions, recipeParametersOf } from '../request/job-options.ts';
import { addSourceOptions, estimate, type SourceOptions } from '../submit/estimate.ts';
import type { SubmitOptions } from '../submit/prepare-request.ts';

export const estimateCommand: CommandFactory = (runAction) => {
  const command = new Command('estimate').description(
    'Estimates the time and price of a job. Uploads and submits nothing.',
  );
  addSourceOptions(addJobOptions(command));
  return addRecipeOptions(command).action(
    runAction((context, inputs: string[], options: SubmitOptions & SourceOptions) =>
      estimate(context, { inputs, parameters: recipeParametersOf(options), options }),
    ),
  );
};
