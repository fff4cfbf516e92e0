import { join } from 'node:path';
import { escapeFilterValue } from '../../core/encoding/subtitle-style.ts';
import { sourceName } from '../../core/jobs/work-files.ts';
import type { Command, CommandInput } from '../../core/media/ffmpeg/command.ts';
import { missingCommandError } from './recorded-command.ts';

/** Where the files of a log are on this machine. */
export type Locations = {
  /** Directory of everything that the commands write. */
  directory: string;
  fontsDirectory: string;
  /** The files that the job downloaded, by their names in the log. */
  inputs: Readonly<Record<string, string>>;
};

/** A log names a file outside the job's own directories, so its commands are not run. */
class ForeignPathError extends Error {
  override readonly name = 'ForeignPathError';
}

/** The temporary directory of a worker, which is the start of every path that it chooses. */
const workspacePattern = /^(\/(?:[^/]+\/)*job-[A-Za-z0-9]{6})\//;
/** A file that a chunk task wrote, and the address under which the join read it: by the numbers of task and file. */
export const encodedPattern = /^(.*\/)encoded-\d+$/;
const proxyPattern = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/([\w-]+)/g;
const listPrefix = 'data:text/plain;base64,';

/**
 * Replaces the paths of a worker in its commands with paths on this machine.
 * @throws ForeignPathError if a command would read or write anything else
 */
export function relocateCommands(commands: readonly Command[], locations: Locations): Command[] {
  const decoded = commands.map((command) => mapText(command, decodeList));
  const { replaceWorkspaces, directoryOf } = workspaceMapper(decoded, locations);
  const tasks = decoded.flatMap(({ outputArguments }) => {
    const first = outputArguments.find((argument) => encodedPattern.test(argument));
    return first === undefined ? [] : [directoryOf(encodedPattern.exec(first)?.[1] ?? '')];
  });
  const replaceAll = (text: string) =>
    replaceFonts(replaceWorkspaces(replaceAddresses(text, { tasks, locations })), locations);
  return decoded.map((command) => {
    const relocated = mapText(command, replaceAll);
    for (const text of textsOf(relocated)) assertInside(text, locations);
    return mapText(relocated, encodeList);
  });
}

/** All texts of a command that can name a file. */
export function textsOf({ inputs, outputArguments }: Command): string[] {
  return [...inputs.flatMap(({ path, options = [] }) => [...options, decodeList(path)]), ...outputArguments];
}

function mapText({ inputs, outputArguments, ...rest }: Command, map: (text: string) => string): Command {
  const mapInput = ({ path, options = [], ...kind }: CommandInput): CommandInput => ({
    ...kind,
    path: map(path),
    options: options.map(map),
  });
  return { ...rest, inputs: inputs.map(mapInput), outputArguments: outputArguments.map(map) };
}

function workspaceMapper(commands: readonly Command[], { directory, inputs }: Locations) {
  const paths = commands.flatMap(textsOf).flatMap((text) => workspacePattern.exec(text)?.[1] ?? []);
  const numbers = new Map([...new Set(paths)].map((path, number) => [path, String(number)]));
  const directoryOf = (text: string) => {
    const path = workspacePattern.exec(text)?.[1] ?? '';
    return text.replace(path, join(directory, numbers.get(path) ?? ''));
  };
  const replaceWorkspaces = (text: string) => {
    let replaced = text;
    for (const [path, number] of numbers) {
      for (const [name, file] of Object.entries(inputs)) {
        if (replaced === `${path}/${name}`) return file;
      }
      replaced = replaced.replaceAll(path, join(directory, number));
    }
    return replaced;
  };
  return { replaceWorkspaces, directoryOf };
}

/** Chunk tasks read the source and the join their results through a proxy on the worker. */
function replaceAddresses(
  text: string,
  { tasks, locations: { inputs } }: { tasks: readonly string[]; locations: Locations },
): string {
  const scheme = text.includes('ffconcat') ? 'file:' : '';
  const overlay = Object.entries(inputs).find(([name]) => name.startsWith('asset-'))?.[1];
  const sources: Record<string, string | undefined> = { overlay };
  for (const [name, path] of Object.entries(inputs)) {
    const number = /^input-(\d+)$/.exec(name)?.[1];
    if (number !== undefined) sources[sourceName(Number(number) - 1)] = path;
  }
  return text.replaceAll(proxyPattern, (_, name: string) => {
    const [task = '', file] = name.split('-');
    const path = sources[name] ?? tasks[Number(task)]?.concat(`encoded-${file}`);
    if (path !== undefined) return scheme + path;
    throw missingCommandError(`chunk task ${task}`);
  });
}

function replaceFonts(text: string, { fontsDirectory }: Locations): string {
  return text.replace(/(?<=:fontsdir=).*?(?=:force_style=)/, () => escapeFilterValue(fontsDirectory));
}

/** Absolute paths, parent directories and addresses that are not one of the job's. */
const foreignPattern = /(?:^|[=:'"|,;@\s\\])\/[^\s/]|(?:^|\/)\.\.(?:\/|$)|[a-z][\w+.-]*:\/\//i;

function assertInside(text: string, { directory, fontsDirectory, inputs }: Locations): void {
  let rest = text;
  for (const own of [...Object.values(inputs), directory, fontsDirectory]) {
    rest = rest.replaceAll(own, 'own').replaceAll(escapeFilterValue(own), 'own');
  }
  if (foreignPattern.test(rest)) {
    throw new ForeignPathError(
      `The log names a file that is not the job's, so nothing was run: ${text.slice(0, 200)}`,
    );
  }
}

function decodeList(text: string): string {
  return text.startsWith(listPrefix) ? Buffer.from(text.slice(listPrefix.length), 'base64').toString() : text;
}

function encodeList(text: string): string {
  return text.startsWith('ffconcat') ? listPrefix + Buffer.from(text).toString('base64') : text;
}
