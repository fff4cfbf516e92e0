import { Command, Option } from 'commander';
import { speeds } from '../../core/jobs/speeds.ts';
import type { CommandFactory } from '../context/command-context.ts';
import { collectPair } from '../request/parse-parameter.ts';
import { parameterNames, recipeOptions } from '../request/recipe-options.ts';
import type { SubmitOptions } from '../submit/prepare-request.ts';
import { submit } from '../submit/submit.ts';

export const submitCommand: CommandFactory = (runAction) => {
  const command = new Command('submit')
    .description('Submits a job and prints its id. Uploads inputs that are local files.')
    .argument(
      '<inputs...>',
      'local file, http, https or upload URL, or object of a storage provider: s3://bucket/key or storage://provider-id/key; several for a recipe that joins inputs',
    )
    .option(
      '--recipe <name>',
      'recipe to run; "recipes" lists them, "recipes <name>" shows the options of one',
    )
    .option(
      '--steps <json>',
      'pipeline, in place of --recipe: JSON list of { recipe }; each step reads the output of the previous one',
    )
    .option('--format <format>', 'output format; default: the first format of the recipe')
    .option(
      '--provider <provider-id>',
      'storage provider of s3 inputs; default: the only one of their bucket',
    )
    .option(
      '--output-provider <provider-id>',
      'storage provider that receives the files; default: that of the settings',
    )
    .option('--no-output-provider', 'keeps the files in the bucket of the service')
    .option(
      '--output-key <template>',
      'keys at the storage provider, of {jobId}, {name}, {extension} and {date}',
    )
    .option('--webhook-url <url>', 'webhook URL of this job; default: the default webhook URL')
    .addOption(
      new Option(
        '--speed <speed>',
        'fast encodes every video in parallel chunks where the result is the same; standard only long videos',
      ).choices(speeds),
    )
    .option('--metadata <key=value>', 'pair stored with the job; repeat the option for several', collectPair)
    .option('--idempotency-key <key>', 'makes a rerun safe: the same key returns the same job')
    .option('--wait', 'waits until the job is terminal, then shows it')
    .option(
      '--download [path]',
      'waits, then downloads the output to this file or folder; place it after the inputs',
    )
    .option('--force', 'overwrites existing files');
  command.optionsGroup('Options of recipes:');
  for (const option of recipeOptions()) command.addOption(option);
  return command.action(
    runAction(
      (context, inputs: string[], options: SubmitOptions & Record<string, string | boolean | undefined>) => {
        const parameters = parameterNames().flatMap((name): [string, string | boolean][] => {
          const value = options[name];
          return value === undefined ? [] : [[name, value]];
        });
        return submit(context, { inputs, parameters: Object.fromEntries(parameters), options });
      },
    ),
  );
};
