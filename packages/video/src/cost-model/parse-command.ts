import type { Command } from '../media/ffmpeg/command.ts';

/** One output file of a command: its options by name, without the dash. */
export type CommandOutput = {
  path: string;
  /** Values of `-map`, such as `0:1` or `[out]`. */
  maps: readonly string[];
  options: ReadonlyMap<string, string>;
};

export type ParsedCommand = {
  /** The graph of `-filter_complex`; it may come before any output. */
  graph?: string | undefined;
  outputs: readonly CommandOutput[];
};

/** Options of ffmpeg that take no value. */
const flags = new Set(['an', 'vn', 'sn', 'dn', 'shortest', 'copyts', 'start_at_zero']);

/** Splits the arguments after the inputs into outputs. An output ends with its path. */
export function parseCommand({ outputArguments }: Pick<Command, 'outputArguments'>): ParsedCommand {
  const outputs: CommandOutput[] = [];
  let graph: string | undefined;
  let maps: string[] = [];
  let options = new Map<string, string>();
  for (let index = 0; index < outputArguments.length; index += 1) {
    const token = outputArguments[index] ?? '';
    if (!isOption(token)) {
      outputs.push({ path: token, maps, options });
      [maps, options] = [[], new Map()];
      continue;
    }
    const name = token.slice(1);
    if (flags.has(name)) {
      options.set(name, '');
      continue;
    }
    index += 1;
    const value = outputArguments[index] ?? '';
    if (name === 'map') maps.push(value);
    else if (name === 'filter_complex') graph = value;
    else options.set(name, value);
  }
  return { graph, outputs };
}

function isOption(token: string): boolean {
  return token.length > 1 && token.startsWith('-');
}

/** The value of an option of one stream, such as `-crf:v:0`, else that of the kind, else that of the output. */
export function optionOf(
  options: CommandOutput['options'],
  name: string,
  { kind, position }: { kind: 'v' | 'a'; position: number },
): string | undefined {
  return options.get(`${name}:${kind}:${position}`) ?? options.get(`${name}:${kind}`) ?? options.get(name);
}

/** A number of seconds or of bits with ffmpeg's suffix k, such as `128k`; undefined for anything else. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number.parseFloat(text) * (text.endsWith('k') ? 1000 : 1);
  return Number.isFinite(value) ? value : undefined;
}
