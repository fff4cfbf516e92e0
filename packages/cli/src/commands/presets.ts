import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OperationRequest, OperationResult } from '@media-jobs/client';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { type CompareOptions, compare } from '../presets/compare.ts';
import { parseNumber } from '../request/parse-number.ts';
import { parseJsonOrText } from '../request/parse-parameter.ts';
import { table } from '../show/sanitize.ts';

type Preset = OperationResult<'getPreset'>;

export const presetsCommand: CommandFactory = (context) => {
  const presets = new Command('presets').description('Manages presets: requests that jobs name, in versions.');
  presets
    .command('list', { isDefault: true })
    .description('Lists the newest version of each preset.')
    .option('--all', 'lists every version')
    .action(async ({ all = false }: { all?: boolean }) => {
      const result = await context.client.listPresets({ query: { all: all ? 'true' : 'false' } });
      const rows = result.presets.map((each) => [labelOf(each), stateOf(each), each.source, each.title]);
      const titles = ['PRESET', 'STATE', 'SOURCE', 'TITLE'];
      context.printResult(result, table(titles, rows, 'There are no presets. "presets create" stores one.'));
    });
  presets
    .command('show')
    .description('Shows a version with its request.')
    .argument('<preset>', 'name, or name@version')
    .action(async (name: string) => {
      const preset = await context.client.getPreset({ params: { name } });
      context.printResult(preset, JSON.stringify(preset, undefined, 2));
    });
  presets
    .command('create')
    .description('Stores a version, and prints its name.')
    .argument('<file>', 'JSON: { name, version?, draft?, title?, description?, request, allow? }')
    .action(async (file: string) => {
      const body = parseJsonOrText(await readFile(resolve(context.workingDirectory, file), 'utf8'));
      if (typeof body === 'string') throw new CliError('usage', `${file} is not JSON.`);
      const created = await context.client.createPreset({
        body: body as OperationRequest<'createPreset'>['body'],
        headers: { 'idempotency-key': context.newId() },
      });
      context.printResult(created, labelOf(created));
    });
  const changes = {
    publish: ['Publishes a draft. Jobs that name no version use the highest published one.', { draft: false }],
    retire: ['Retires a version. Only jobs that name it still use it.', { retired: true }],
  } as const;
  for (const [name, [description, body]] of Object.entries(changes))
    presets
      .command(name)
      .description(description)
      .argument('<preset>', 'name@version')
      .action((label: string) => change(context, label, body));
  presets
    .command('compare')
    .description('Runs two presets on the same files: sizes, VMAF, seconds and dollars, in the terminal and as a page.')
    .argument('<before>', 'name@version')
    .argument('<after>', 'name@version')
    .requiredOption('--inputs <files...>', 'up to ten local files')
    .option('--max-usd <dollars>', 'maximum cost of all jobs together', parseNumber)
    .option('--directory <path>', 'new folder of the files and index.html; default: named after the presets')
    .action(async (before: string, after: string, options: CompareOptions) =>
      context.setExit(await compare(context, [before, after], options)),
    );
  return presets;
};

async function change(
  { client, printResult }: CommandContext,
  label: string,
  body: OperationRequest<'updatePreset'>['body'],
): Promise<void> {
  const [name = '', version] = label.split('@');
  if (version === undefined) throw new CliError('usage', `Give the version too: ${name}@1.`);
  const changed = await client.updatePreset({ params: { name, version }, body });
  printResult(changed, `${labelOf(changed)} is ${stateOf(changed)}.`);
}

function labelOf({ name, version }: Preset): string {
  return `${name}@${version}`;
}

function stateOf({ draft, retired }: Preset): string {
  if (retired) return 'retired';
  return draft ? 'a draft' : 'published';
}
