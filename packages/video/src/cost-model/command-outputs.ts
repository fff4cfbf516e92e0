import type { Argument, Command } from '../media/ffmpeg/command.ts';
import type { Filter, FilterGraph } from '../media/filters/filter.ts';

/** One output file of a command: its options by name, without the dash. */
export type CommandOutput = {
  path: string;
  /** Values of `-map`, such as `0:1` or `[out]`. */
  maps: readonly string[];
  options: ReadonlyMap<string, Argument>;
};

/** Options of ffmpeg that take no value. */
const flags = new Set(['-an', '-vn', '-sn', '-dn', '-shortest', '-copyts', '-start_at_zero']);

/** The filter graph and the outputs of a command. An output ends with its path; the graph may come before any. */
export function outputsOf({ outputArguments }: Pick<Command, 'outputArguments'>): {
  graph: FilterGraph;
  outputs: readonly CommandOutput[];
} {
  const graph: FilterGraph[] = [];
  const outputs: CommandOutput[] = [];
  let maps: string[] = [];
  let options = new Map<string, Argument>();
  for (let index = 0; index < outputArguments.length; index += 1) {
    const token = String(outputArguments[index]);
    if (!token.startsWith('-') || token === '-') {
      outputs.push({ path: token, maps, options });
      [maps, options] = [[], new Map()];
    } else if (!flags.has(token)) {
      const value = outputArguments[++index] ?? '';
      if (token === '-map') maps.push(String(value));
      else if (token === '-filter_complex' && typeof value !== 'string') graph.push(value);
      else options.set(token.slice(1), value);
    }
  }
  return { graph: graph.flat(), outputs };
}

/** A stream of an output: its kind, and its number among those of this kind. */
export type StreamPosition = { kind: 'v' | 'a'; position: number };

/** The value of an option of one stream, such as `-crf:v:0`, else that of the kind, else that of the output. */
export function optionOf(
  options: CommandOutput['options'],
  name: string,
  { kind, position }: StreamPosition,
): string | undefined {
  const value = options.get(`${name}:${kind}:${position}`) ?? options.get(`${name}:${kind}`) ?? options.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** The filters between the source of a stream and its encoder. */
export function filtersOf({ options }: CommandOutput, { kind, position }: StreamPosition): readonly Filter[] {
  const graph = options.get(`${kind}f`) ?? options.get(`filter:${kind}:${position}`) ?? [];
  return typeof graph === 'string' ? [] : graph.flatMap(({ filters }) => filters);
}

/** A number of seconds or of bits with ffmpeg's suffix k, such as `128k`; undefined for anything else. */
export function numberOf(text: Argument | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const value = Number.parseFloat(text) * (text.endsWith('k') ? 1000 : 1);
  return Number.isFinite(value) ? value : undefined;
}
