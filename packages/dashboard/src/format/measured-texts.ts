import { labelFromName } from './labels.ts';

/**
 * Measured values with their units by label. The end of a name says what it is of: `inputLufs` and `outputLufs` are the
 * loudness before and after. In a pipeline the names begin with the step.
 */
export function measuredTexts(measurements: Readonly<Record<string, number>>): [label: string, text: string][] {
  return Object.entries(measurements).flatMap(([name, value]): [string, string][] => {
    const [, path = '', side, measure = ''] = /^(.*\.)?(input|output)?([^.]*)$/.exec(name) ?? [];
    const [end, unit, label] = measures.find(([known]) => measure.endsWith(known)) ?? ['', '', ''];
    const text = (amount: number) => `${Number(amount.toFixed(2))} ${unit}`.trim();
    if (side === undefined || end !== measure) return [[labelFromName(name), text(value)]];
    const of = (part: string) => measurements[`${path}${part}${measure}`];
    const [before, after] = [of('input'), of('output')];
    if (before === undefined || after === undefined) return [[`${path}${label} ${side}`, text(value)]];
    return side === 'output' ? [] : [[`${path}${label}`, `${text(before)} before, ${text(after)} after`]];
  });
}

/** The end of a name, the unit, and the label of what is measured before and after. */
const measures = [
  ['Lufs', 'LUFS', 'Loudness'],
  ['TruePeak', 'dBTP', 'True peak'],
  ['LoudnessRange', 'LU', 'Loudness range'],
  ['Kbps', 'kbit/s', ''],
  ['Seconds', 's', ''],
] as const;
