import { styleText } from 'node:util';

/** A terminal: its width in columns, and whether it shows colors. */
export type Terminal = { columns: number | undefined; hasColors: boolean };

/** Text for a terminal: lines broken at its width, states and headings in colors. */
export function forTerminal(text: string, { columns, hasColors }: Terminal): string {
  const fitted = columns === undefined ? text : fitWidth(text, columns);
  return hasColors ? fitted.split('\n').map(colored).join('\n') : fitted;
}

/**
 * Breaks lines at words. The rest of a line stands below its last column, if that leaves half of the width. Command lines
 * stay whole, since they are copied.
 */
export function fitWidth(text: string, width: number): string {
  let isCommand = false;
  const lines = text.split('\n').map((line) => {
    const continues = isCommand;
    isCommand = line.endsWith('\\');
    return isCommand || continues || line.length <= width ? line : brokenLine(line, width);
  });
  return lines.join('\n');
}

function brokenLine(line: string, width: number): string {
  const indent = ' '.repeat(hangingIndent(line, width));
  const broken: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const start = /^ */.exec(rest)?.[0].length ?? 0;
    const found = rest.lastIndexOf(' ', width);
    const end = found > start ? found : rest.indexOf(' ', start);
    if (end === -1) break;
    broken.push(rest.slice(0, end).trimEnd());
    rest = indent + rest.slice(end).trimStart().replaceAll(/ {3,}/g, '  ');
  }
  return [...broken, rest].filter((each) => each.trim() !== '').join('\n');
}

/** The column in which the last cell of a line begins; else a small indent. */
function hangingIndent(line: string, width: number): number {
  const last = [...line.matchAll(/\S(?: {2,})(?=\S)/g)].at(-1);
  const column = last === undefined ? 0 : last.index + last[0].length;
  const own = /^ */.exec(line)?.[0].length ?? 0;
  if (column === 0) return own;
  return column <= width / 2 ? column : own + 4;
}

const stateColors = { completed: 'green', failed: 'red', rejected: 'red', cancelled: 'yellow' } as const;

function colored(line: string): string {
  if (/^[A-Z][A-Z/ ]+$/.test(line) && line.includes('  ')) return styleText('bold', line, unchecked);
  return line.replace(/(?<=^| {2})(completed|failed|rejected|cancelled)(?=$| {2}|,)/g, (state) =>
    styleText(stateColors[state as keyof typeof stateColors], state, unchecked),
  );
}

// The caller knows whether its stream shows colors.
const unchecked = { validateStream: false };
