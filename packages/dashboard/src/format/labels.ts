const acronyms = new Map([
  ['api', 'API'],
  ['bitrate', 'bit rate'],
  ['crf', 'CRF'],
  ['fps', 'FPS'],
  ['gif', 'GIF'],
  ['hdr', 'HDR'],
  ['hls', 'HLS'],
  ['url', 'URL'],
  ['lufs', 'LUFS'],
  ['vmaf', 'VMAF'],
  ['mb', 'MB'],
  ['sdr', 'SDR'],
  ['webp', 'WebP'],
]);

/** A camel-case name as a label: `imageUrl` becomes `Image URL`. */
export function labelFromName(name: string): string {
  const parts = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  return capitalize(parts.map((word) => acronyms.get(word) ?? word).join(' '));
}

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

/** A code as a label: `INPUT_NOT_MEDIA` becomes `Input not media`, `hdr-to-sdr` becomes `HDR to SDR`. */
export function labelFromCode(code: string): string {
  const text = code.toLowerCase().replaceAll(/[_-]+/g, ' ');
  return capitalize(text.replaceAll(/\w+/g, (word) => acronyms.get(word) ?? word));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
