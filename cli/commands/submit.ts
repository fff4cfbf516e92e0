import { Command, Option } from 'commander';
import { speeds } from '../../core/jobs/speeds.ts';
import type { CommandFactory } from '../context/run-action.ts';
import { collectPair } from '../request/metadata-option.ts';
import { parameterNames, recipeOptions } from '../request/recipe-options.ts';
import type { SubmitOptions } from '../submit/submission.ts';
import { submit } from '../submit/submit.ts';

export const submitCommand: CommandFactory = (attend) => {
  const command = new Command('submit')
    .description(
      'Submits a job, uploading its input where that is a file of this machine; prints the id of the job.',
    )
    .argument('<inputs...>', 'a file or an http, https or upload URL; several for a recipe that joins them')
    .option('--recipe <name>', 'what to do; "recipes" lists them, "recipes <name>" shows the options of one')
    .option(
      '--steps <json>',
      'in place of a recipe: several, each on what the last one made, as a list of { recipe }',
    )
    .option('--format <format>', "format of the result; the recipe's first unless given")
    .option('--webhook-url <url>', 'who is told when the job ends, in place of the default webhook URL')
    .addOption(
      new Option(
        '--speed <speed>',
        'fast encodes a video in chunks side by side where that makes the same file; standard does so with long ones only',
      ).choices(speeds),
    )
    .option(
      '--metadata <key=value>',
      'a pair of your own, given back with the job; once for each',
      collectPair,
    )
    .option('--idempotency-key <key>', 'makes it safe to run this line again: the same key gets the same job')
    .option('--wait', 'waits until the job has ended, and shows it')
    .option(
      '--download [path]',
      'waits, and downloads the result into this file or folder; put it after the input',
    )
    .option('--force', 'replaces a file that is there already');
  command.optionsGroup('Options of recipes:');
  for (const option of recipeOptions()) command.addOption(option);
  return command.action(
    attend((tools, inputs: string[], given: SubmitOptions & Record<string, string | boolean | undefined>) => {
      const parameters = parameterNames().flatMap((name): [string, string | boolean][] => {
        const typed = given[name];
        return typed === undefined ? [] : [[name, typed]];
      });
      return submit(tools, { inputs, parameters: Object.fromEntries(parameters), options: given });
    }),
  );
};
