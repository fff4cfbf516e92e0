import { styleText } from 'node:util';

/** A terminal: its width in columns, and whether it shows colors; and how this program is called in it. */
export type Terminal = { columns: number | undefined; hasColors: boolean; programName: string };

/** Text for a terminal: lines broken at its width, states and headings in colors. */
export function forTerminal(text: string, { columns, hasColors, programName }: Terminal): string {
  const fitted = columns === undefined ? text : fitWidth(text, columns, programName);
  return hasColors ? fitted.split('\n').map(colored).join('\n') : fitted;
}

/**
 * Breaks lines at words. The rest of a line stands below its last column, if that leaves half of the width. Command lines
 * stay whole, since they are copied.
 */
export function fitWidth(text: string, width: number, programName = 'media-jobs'): string {
  let isCommand = false;
  const lines = withRecords(text.split('\n'), width).map((line) => {
    const isWhole = isCommand || line.includes(`${programName} `);
    isCommand = line.endsWith('\\');
    return isCommand || isWhole || line.length <= width ? line : brokenLine(line, width);
  });
  return lines.join('\n');
}

/**
 * Lines in which each table that is wider than the terminal has its rows one below the other, each value with its title: a
 * row that is broken no longer stands below the titles.
 */
function withRecords(lines: readonly string[], width: number): string[] {
  const shown: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = tableEnd(lines, start);
    const table = lines.slice(start, end);
    const isTooWide = end > start + 1 && table.some((line) => line.length > width);
    if (isTooWide) shown.push(...table.slice(1).flatMap((row) => record(table[0] ?? '', row, width)));
    else shown.push(...lines.slice(start, Math.max(end, start + 1)));
    start = Math.max(end, start + 1);
  }
  return shown;
}

const tableTitles = /^[A-Z][A-Z/() ]+$/;

/** The line after a table whose titles are at `start`; `start` if there are none. Two columns are read without titles. */
function tableEnd(lines: readonly string[], start: number): number {
  const titles = lines[start] ?? '';
  if (!tableTitles.test(titles) || titles.split(/ {2,}/).length < 3) return start;
  const end = lines.findIndex((line, index) => index > start && line.trim() === '');
  return end === -1 ? lines.length : end;
}

/** A row of a table as lines: its first cell, then `title: value` of each other cell that is not empty, as many on a line as fit. */
function record(titles: string, row: string, width: number): string[] {
  const cells = [...titles.matchAll(/\S+(?: \S+)*/g)].flatMap(({ 0: title, index }, position, all) => {
    const value = row.slice(index, all[position + 1]?.index).trim();
    return value === '' ? [] : [position === 0 ? value : `${title.toLowerCase()}: ${value}`];
  });
  const lines: string[] = [];
  for (const cell of cells) {
    const longer = lines.length === 0 ? cell : `${lines.at(-1)}  ${cell}`;
    if (longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(`    ${cell}`);
  }
  return lines;
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

/** The column in which the last cell of a line begins, if its words fit behind it; else a small indent. */
function hangingIndent(line: string, width: number): number {
  const last = [...line.matchAll(/\S(?: {2,})(?=\S)/g)].at(-1);
  const column = last === undefined ? 0 : last.index + last[0].length;
  const own = /^ */.exec(line)?.[0].length ?? 0;
  if (column === 0) return own;
  const longestWord = Math.max(
    ...line
      .slice(column)
      .split(' ')
      .map((word) => word.length),
  );
  return column <= width / 2 && column + longestWord <= width ? column : own + 4;
}

const stateColors = { completed: 'green', failed: 'red', rejected: 'red', cancelled: 'yellow' } as const;

function colored(line: string): string {
  if (/^[A-Z][A-Z/ ]+$/.test(line) && line.includes('  ')) return styleText('bold', line, unchecked);
  return line.replace(/(?<=^| {2}|state: )(completed|failed|rejected|cancelled)(?=$| {2}|,)/g, (state) =>
    styleText(stateColors[state as keyof typeof stateColors], state, unchecked),
  );
}

// The caller knows whether its stream shows colors.
const unchecked = { validateStream: false };
