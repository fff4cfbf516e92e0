import type { Result } from '../run-suite.ts';

const marks = { held: '✓', broken: '✗', skipped: '-' };
const colours = { held: 32, broken: 31, skipped: 33 };

/** How results are told to a person: `colour` where the output is a terminal. */
export function resultFormatter({ total, colour }: { total: number; colour: boolean }) {
  const width = String(total).length;
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  let count = 0;
  let section = '';

  /** The lines of one result, under the heading of its section where that is the first. */
  function formatResult({ clause, outcome, reason, seconds }: Result): string[] {
    count += 1;
    const heading = clause.section === section ? [] : ['', paint(1, clause.section)];
    section = clause.section;
    const place = `${String(count).padStart(width)}/${total}`;
    const time = outcome === 'skipped' ? '' : `  (${clause.id}, ${seconds.toFixed(1)} s)`;
    const mark = paint(colours[outcome], marks[outcome]);
    const more = reason === undefined ? [] : [`  ${' '.repeat(place.length)} ${detail(outcome, reason)}`];
    return [...heading, `${mark} ${place} ${clause.sentence}${paint(2, time)}`, ...more];
  }

  function detail(outcome: Result['outcome'], reason: string): string {
    return paint(colours[outcome], outcome === 'skipped' ? `skipped: ${reason}` : reason);
  }

  return { ofResult: formatResult };
}

/** The last line: how many sentences held, were broken, and were not looked at. */
export function formatSummary({ held, broken, skipped, seconds }: Summary): string {
  return `Sentences: ${held} held, ${broken} broken, ${skipped} skipped, in ${seconds.toFixed(0)} s.`;
}

export type Summary = { held: number; broken: number; skipped: number; seconds: number };

/** Counts results by their outcome. */
export function countOutcomes(results: readonly Result[], seconds: number): Summary {
  const count = (wanted: Result['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  return { held: count('held'), broken: count('broken'), skipped: count('skipped'), seconds };
}
