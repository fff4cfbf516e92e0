import { mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Command } from '../../core/media/ffmpeg/command.ts';
import type { Encoder } from '../../core/media/ffmpeg/ports.ts';
import { isMeasurement, parseRecordedCommand } from './recorded-command.ts';
import { encodedPattern, type Locations, relocateCommands, textsOf } from './relocate.ts';

/** A job on this machine may take long: a day of wall time, and ten minutes without progress. */
export const patience = { timeLimitSeconds: 86_400, stallSeconds: 600 };

/**
 * Runs those recorded commands that the wanted files depend on, in their order.
 *
 * @param wanted names of files; empty for all files
 * @returns the paths of all files that they wrote, and the number of commands that ran
 */
export async function runRecordedCommands(
  encoder: Encoder,
  recorded: readonly (readonly string[])[],
  {
    locations,
    wanted,
    onCommand,
  }: { locations: Locations; wanted: readonly string[]; onCommand: (number: number, count: number) => void },
): Promise<{ paths: string[]; commands: number }> {
  const { directory } = locations;
  const parsed = recorded.filter((args) => !isMeasurement(args)).map(parseRecordedCommand);
  const commands = selectNeeded(relocateCommands(parsed, locations), { directory, wanted });
  for (const [index, command] of commands.entries()) {
    onCommand(index + 1, commands.length);
    const written = command.outputArguments.filter((text) => text.startsWith(directory));
    for (const path of written) await mkdir(dirname(path), { recursive: true });
    const options = { directory: dirname(written.at(-1) ?? join(directory, '.')), ...patience };
    await encoder.run(command, { ...options, signal: new AbortController().signal });
  }
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return { paths: files.map(({ parentPath, name }) => join(parentPath, name)), commands: commands.length };
}

/**
 * The commands that write a wanted file, or a file that such a command reads. The last command always. All of them where
 * chunks are assembled, which no command does.
 */
function selectNeeded(
  commands: readonly Command[],
  { directory, wanted }: { directory: string; wanted: readonly string[] },
): Command[] {
  const needed: Command[] = [];
  const isAssembled = encodedPattern.test(commands.at(-1)?.outputArguments.at(-1) ?? '');
  for (const command of commands.toReversed()) {
    const written = command.outputArguments.filter((text) => text.startsWith(directory));
    const later = needed.flatMap(textsOf);
    const isNeeded =
      needed.length === 0 ||
      wanted.length === 0 ||
      isAssembled ||
      written.some((path) => wanted.includes(basename(path)) || later.some((text) => text.includes(path)));
    if (isNeeded) needed.unshift(command);
  }
  return needed;
}
