import { optionName, shellQuote } from '../../formatting/command-line.ts';

type Options = Record<string, string | Record<string, string> | undefined>;

/** The line for a shell by which a list goes on, with the options of the page before: a cursor is good for those alone. */
export function nextPageCommand(programName: string, { metadata = {}, ...options }: Options): string {
  const pairs = typeof metadata === 'string' ? [] : Object.entries(metadata);
  const words = [
    ...Object.entries(options).map(([name, value]) => [`--${optionName(name)}`, value]),
    ...pairs.map(([key, value]) => ['--metadata', `${key}=${value}`]),
  ].flatMap(([option, value]) => (typeof value === 'string' ? [`${option} ${shellQuote(value)}`] : []));
  return [programName, 'list', ...words].join(' ');
}
