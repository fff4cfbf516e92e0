import * as z from 'zod';

/** What is asked of the sound, in the terms of EBU R 128. */
export type LoudnessTarget = {
  /** Integrated loudness in LUFS. */
  lufs: number;
  /** Highest true peak in dBTP. */
  truePeakDbtp: number;
  /** Loudness range in LU. */
  rangeLu: number;
};

const figure = z.coerce.number();

/** What ffmpeg's loudnorm filter says of a sound that it heard to its end. */
const measuredSchema = z.object({
  input_i: figure,
  input_tp: figure,
  input_lra: figure,
  input_thresh: figure,
  target_offset: figure,
});

export type MeasuredLoudness = z.output<typeof measuredSchema>;

/** The filter of the first pass, which measures and prints. */
export function measureLoudnessFilter(target: LoudnessTarget): string {
  return `${loudnorm(target)}:print_format=json`;
}

/**
 * Reads the first pass from ffmpeg's log; undefined for a sound that is silent from end to end, whose loudness is no
 * number.
 * @throws Error where the log has no measurement
 */
export function readLoudness(log: string): MeasuredLoudness | undefined {
  const [said] = log.match(/\{[^{}]*"input_i"[^{}]*\}/) ?? [];
  if (said === undefined) throw new Error('ffmpeg did not say how loud the input is');
  const answer = JSON.parse(said) as Record<string, unknown>;
  if (Object.values(answer).includes('-inf')) return undefined;
  return measuredSchema.parse(answer);
}

/**
 * Whether the sound changed its channels or its rate on the way: the filter then begins anew, and each of its
 * measurements is of one part.
 */
export function hasSeveralMeasurements(log: string): boolean {
  return (log.match(/"input_i"/g) ?? []).length > 1;
}

/**
 * The filter of the second pass. It changes the volume alone, by the same for all of the sound, wherever the true peak
 * allows; a range that is wider than the one asked for is left as it is, since making it smaller would pump.
 */
export function normalizeLoudnessFilter(target: LoudnessTarget, measured: MeasuredLoudness): string {
  const rangeLu = Math.min(50, Math.max(target.rangeLu, measured.input_lra));
  const excess = Math.max(0, measured.input_i);
  const heard = [
    ['I', measured.input_i - excess],
    ['TP', measured.input_tp - excess],
    ['LRA', measured.input_lra],
    ['thresh', measured.input_thresh - excess],
  ].map(([name, value]) => `measured_${name}=${value}`);
  const change = [
    loudnorm({ ...target, rangeLu }),
    ...heard,
    `offset=${measured.target_offset}`,
    'linear=true',
  ];
  return [...quieter(excess), change.join(':')].join(',');
}

/** The filter refuses to have heard anything above 0 LUFS, which clipped sound is. */
function quieter(decibels: number): string[] {
  return decibels === 0 ? [] : [`volume=-${decibels}dB`];
}

function loudnorm({ lufs, truePeakDbtp, rangeLu }: LoudnessTarget): string {
  return `loudnorm=I=${lufs}:TP=${truePeakDbtp}:LRA=${rangeLu}`;
}

/** The filter that measures a finished sound: ebur128, which is six times as quick as what normalizes it. */
export const outputLoudnessFilter = 'ebur128=peak=true:framelog=quiet';

/** How loud a finished sound is. */
export type OutputLoudness = {
  /** Integrated loudness in LUFS. */
  lufs: number;
  /** Highest true peak in dBTP. */
  truePeakDbtp: number;
};

/**
 * Reads the summary of `outputLoudnessFilter` from ffmpeg's log; undefined for silence, whose peak is no number.
 * @throws Error where the log has none
 */
export function readOutputLoudness(log: string): OutputLoudness | undefined {
  const summary = /Integrated loudness:\s+I:\s+(\S+) LUFS[\s\S]*?True peak:\s+Peak:\s+(\S+) dBFS/.exec(log);
  if (summary === null) throw new Error('ffmpeg did not say how loud the output is');
  const [lufs, truePeakDbtp] = summary.slice(1).map(Number);
  if (lufs === undefined || truePeakDbtp === undefined || !Number.isFinite(truePeakDbtp)) return undefined;
  return { lufs, truePeakDbtp };
}
