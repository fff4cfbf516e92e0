import type { Result } from '../run-suite.ts';

const marks = { passed: '✓', failed: '✗', skipped: '-' };
const colours = { passed: 32, failed: 31, skipped: 33 };

/** Formats results as text. Set `colour` for a terminal. */
export function resultFormatter({ total, colour }: { total: number; colour: boolean }) {
  const width = String(total).length;
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  let count = 0;
  let section = '';

  /** The lines of a result, below a heading for the first result of a section. */
  function formatResult({ clause, outcome, reason, seconds }: Result): string[] {
    count += 1;
    const heading = clause.section === section ? [] : ['', paint(1, clause.section)];
    section = clause.section;
    const position = `${String(count).padStart(width)}/${total}`;
    const time = outcome === 'skipped' ? '' : `  (${clause.id}, ${seconds.toFixed(1)} s)`;
    const mark = paint(colours[outcome], marks[outcome]);
    const more = reason === undefined ? [] : [`  ${' '.repeat(position.length)} ${detail(outcome, reason)}`];
    return [...heading, `${mark} ${position} ${clause.sentence}${paint(2, time)}`, ...more];
  }

  function detail(outcome: Result['outcome'], reason: string): string {
    return paint(colours[outcome], outcome === 'skipped' ? `skipped: ${reason}` : reason);
  }

  return { formatResult: formatResult };
}

export function formatSummary({ passed, failed, skipped, seconds }: Summary): string {
  return `Clauses: ${passed} passed, ${failed} failed, ${skipped} skipped, in ${seconds.toFixed(0)} s.`;
}

export type Summary = { passed: number; failed: number; skipped: number; seconds: number };

export function countOutcomes(results: readonly Result[], seconds: number): Summary {
  const count = (wanted: Result['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), seconds };
}
