import type { Argument } from '../../media/ffmpeg/command.ts';
import allowed from './allowed.json' with { type: 'json' };
import type { CommandTemplate, PlaceholderValue } from './command-schema.ts';
import { type Fill, parseFilters, shown } from './parse-filters.ts';

/** An argument that a command may not have: its number, from 0, and why. */
export class CommandArgumentError extends TypeError {
  index: number;

  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

type Values = Readonly<Record<string, PlaceholderValue>>;

const encoderOptions = new Set(allowed.options.split(' '));
const flags = new Set(['an', 'vn', 'sn', 'dn', 'shortest']);
const plain = /^[\w.+|:%-]{1,100}(\/\d{1,9})?$/;

/** Options of ffmpeg itself for one output, and what their values may be. */
const outputOptions: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['c', 'codec'].map((name) => [name, new RegExp(`^(copy|${allowed.encoders.join('|')})$`)])),
  map: /^-?0(:[vas])?(:\d{1,2})?\??$|^\[[A-Za-z_]\w{0,29}\]$/,
  metadata: /^[A-Za-z][\w-]{0,40}=[^\p{Cc}]{0,200}$/u,
  force_key_frames: /^[\w.,:()*+/<>=-]{1,200}$/,
  ...Object.fromEntries(
    ['r', 't', 'to', 'ss', 'frames', 'fps_mode', 'pix_fmt', 'sample_fmt', 'ac', 'q', 'tag', 'disposition'].map(
      (name) => [name, plain],
    ),
  ),
};
const graphs = new Set(['vf', 'af', 'filter', 'filter_complex']);

/**
 * The arguments of a command between its input and its output. Every option and every filter is one that the image's
 * ffmpeg has and that opens nothing; a placeholder is only ever part of a value.
 * @throws CommandArgumentError for the first argument that is not allowed
 */
export function commandArguments(template: Pick<CommandTemplate, 'arguments'>, values: Values): Argument[] {
  const result: Argument[] = [];
  const texts = template.arguments;
  for (let index = 0; index < texts.length; index += 1) {
    const option = texts[index] ?? '';
    const [, name = '', specifier = ''] = /^-([a-z0-9][\w-]*)((?::[vas])?(?::\d{1,2})?)$/.exec(option) ?? [];
    if (!isAllowed(name))
      throw new CommandArgumentError(index, `${shown(option)} is no option that a command may have`);
    if (flags.has(name) && specifier === '') {
      result.push(option);
      continue;
    }
    index += 1;
    const text = texts[index];
    if (text === undefined) throw new CommandArgumentError(index - 1, `${option} has no value`);
    result.push(option, fillValue(name, text, { index, option, values }));
  }
  return result;
}

function isAllowed(name: string): boolean {
  return flags.has(name) || graphs.has(name) || Object.hasOwn(outputOptions, name) || encoderOptions.has(name);
}

type Place = { index: number; option: string; values: Values };

function fillValue(name: string, text: string, { index, option, values }: Place): Argument {
  const fill: Fill = (template) =>
    template.replace(/\{(\w+)\}/g, (_, placeholder: string) => {
      const value = Object.hasOwn(values, placeholder) ? values[placeholder] : undefined;
      if (value === undefined) throw new CommandArgumentError(index, `There is no parameter ${placeholder}`);
      return String(value);
    });
  if (graphs.has(name)) {
    try {
      return parseFilters(text, fill);
    } catch (cause) {
      if (!(cause instanceof TypeError) || cause instanceof CommandArgumentError) throw cause;
      throw new CommandArgumentError(index, `${option}: a command may not have ${cause.message}`);
    }
  }
  const value = fill(text);
  const pattern = Object.hasOwn(outputOptions, name) ? outputOptions[name] : plain;
  if (pattern?.test(value)) return value;
  throw new CommandArgumentError(index, `${shown(value)} is no value that ${option} of a command may have`);
}
