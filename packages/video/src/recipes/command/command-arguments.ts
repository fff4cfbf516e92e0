import type { Argument } from '../../media/ffmpeg/command.ts';
import type { Chain, Filter, FilterGraph } from '../../media/filters/filter.ts';
import allowed from './allowed.json' with { type: 'json' };
import type { CommandTemplate, PlaceholderValue } from './command-schema.ts';

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

const filters: Readonly<Record<string, string>> = allowed.filters;

/** Replaces the placeholders in a value, which is one value whatever they stand for. */
type Fill = (text: string) => string;

/**
 * Parses a filter graph whose filters and options a command may use. Every option has its name, and a value with `,`, `:`,
 * `;` or brackets is quoted, so that a value is never taken for anything else; ffmpeg gets the graph as it was understood.
 * @throws TypeError with what is not allowed
 */
function parseFilters(text: string, fill: Fill): FilterGraph {
  if (text.includes('\\')) throw new TypeError('a backslash: quote the value instead');
  return split(text, ';').map((chain) => parseChain(chain.trim(), fill));
}

const ends = /^((?:\[[\w:]{1,30}\]\s*)*)(.*?)((?:\s*\[[\w:]{1,30}\])*)$/s;

function parseChain(text: string, fill: Fill): Chain {
  const [, before = '', rest = '', behind = ''] = ends.exec(text) ?? [];
  const pads = (labels: string) => [...labels.matchAll(/[\w:]+/g)].map(([name]) => name);
  const from = pads(before);
  const to = pads(behind);
  for (const name of to) if (!/^[A-Za-z_]\w*$/.test(name)) throw new TypeError(`the label [${name}]`);
  for (const name of from)
    if (!/^([A-Za-z_]\w*|0:[va](:\d{1,2})?|0:\d{1,2})$/.test(name)) throw new TypeError(`the label [${name}]`);
  const parsed = split(rest, ',').map((each) => parseFilter(each.trim(), fill));
  return { ...(from.length > 0 && { from }), filters: parsed, ...(to.length > 0 && { to }) };
}

function parseFilter(text: string, fill: Fill): Filter {
  const [, name = text, options] = /^(\w+)(?:=(.*))?$/s.exec(text) ?? [];
  const known = Object.hasOwn(filters, name) ? filters[name]?.split(' ') : undefined;
  if (known === undefined) throw new TypeError(`the filter ${shown(name)}`);
  const pairs =
    options === undefined ? [] : split(options, ':').map((pair) => parseOption(pair, { name, known, fill }));
  const written = pairs.map(([option, value]) => `${option}='${value.replaceAll(':', '\\:')}'`).join(':');
  return { name, text: written === '' ? name : `${name}=${written}`, ...changeOf(name, new Map(pairs)) };
}

function parseOption(
  pair: string,
  { name, known, fill }: { name: string; known: readonly string[]; fill: Fill },
): [option: string, value: string] {
  const [, option = '', written = ''] = /^\s*(\w+)=(.*)$/s.exec(pair) ?? [];
  if (option === '') throw new TypeError(`${shown(pair)} of the filter ${name}: write each option as name=value`);
  if (!known.includes(option)) throw new TypeError(`the option ${option} of the filter ${name}`);
  const [, quoted] = /^'([^']*)'$/.exec(written) ?? [];
  const value = fill(quoted ?? written);
  if (!/^[\x20-\x7e]*$/.test(value) || /['\\]/.test(value) || (quoted === undefined && /[[\]]/.test(value)))
    throw new TypeError(`the value ${shown(written)} of ${option}`);
  return [option, value];
}

/** What the cost model and the next filter know of the frames behind a filter. */
function changeOf(name: string, options: ReadonlyMap<string, string>): Pick<Filter, 'out'> {
  const number = (...names: string[]) => {
    const text = names.map((each) => options.get(each)).find((each) => each !== undefined);
    return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  };
  if (name === 'fps') return withOut({ fps: number('fps') });
  return name === 'scale' || name === 'crop' || name === 'pad'
    ? withOut({ width: number('w', 'width', 'out_w'), height: number('h', 'height', 'out_h') })
    : {};
}

function withOut(values: Record<string, number | undefined>): Pick<Filter, 'out'> {
  const out = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return Object.keys(out).length === 0 ? {} : { out };
}

/** Splits at a character outside of quotes and labels. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (const character of text) {
    if (character === "'") isQuoted = !isQuoted;
    if (character === separator && !isQuoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  if (isQuoted) throw new TypeError('a quote that does not end');
  return parts;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
