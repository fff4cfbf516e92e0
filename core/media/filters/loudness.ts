import * as z from 'zod';

/** Target values of EBU R 128. */
export type LoudnessTarget = {
  /** Integrated loudness in LUFS. */
  lufs: number;
  /** Highest true peak in dBTP. */
  truePeakDbtp: number;
  /** Loudness range in LU. */
  rangeLu: number;
};

const figure = z.coerce.number();

/** The measurements that ffmpeg's loudnorm filter prints at the end. */
const measuredSchema = z.object({
  input_i: figure,
  input_tp: figure,
  input_lra: figure,
  input_thresh: figure,
  target_offset: figure,
});

export type MeasuredLoudness = z.output<typeof measuredSchema>;

/** The filter of the first pass, which prints the measurements. */
export function measureLoudnessFilter(target: LoudnessTarget): string {
  return `${loudnorm(target)}:print_format=json`;
}

/**
 * Reads the measurements of the first pass from ffmpeg's log. Undefined for silence, whose loudness is `-inf`.
 * @throws Error if the log has no measurement
 */
export function readLoudness(log: string): MeasuredLoudness | undefined {
  const [json] = log.match(/\{[^{}]*"input_i"[^{}]*\}/) ?? [];
  if (json === undefined) throw new Error('The log of ffmpeg has no loudness measurement');
  const printed = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  return Object.values(printed).includes('-inf') ? undefined : measuredSchema.parse(printed);
}

/** Whether the audio format changed within the track: loudnorm then restarts and measures each stretch on its own. */
export function hasSeveralMeasurements(log: string): boolean {
  return (log.match(/"input_i"/g) ?? []).length > 1;
}

/**
 * The filter of the second pass. It applies one gain to the whole track if the true peak allows. A loudness range wider
 * than the target is kept, since compressing it would pump.
 */
export function normalizeLoudnessFilter(target: LoudnessTarget, measured: MeasuredLoudness): string {
  const rangeLu = Math.min(50, Math.max(target.rangeLu, measured.input_lra));
  const excessDb = Math.max(0, measured.input_i);
  const measuredOptions = [
    ['I', measured.input_i - excessDb],
    ['TP', measured.input_tp - excessDb],
    ['LRA', measured.input_lra],
    ['thresh', measured.input_thresh - excessDb],
  ].map(([name, value]) => `measured_${name}=${value}`);
  const normalize = [
    loudnorm({ ...target, rangeLu }),
    ...measuredOptions,
    `offset=${measured.target_offset}`,
    'linear=true',
  ];
  return [...attenuate(excessDb), normalize.join(':')].join(',');
}

/** loudnorm rejects measured values above 0 LUFS, which clipped audio has: attenuate first. */
function attenuate(decibels: number): string[] {
  return decibels === 0 ? [] : [`volume=-${decibels}dB`];
}

function loudnorm({ lufs, truePeakDbtp, rangeLu }: LoudnessTarget): string {
  return `loudnorm=I=${lufs}:TP=${truePeakDbtp}:LRA=${rangeLu}`;
}

/** The filter that measures finished audio: ebur128 is six times as fast as loudnorm. */
export const outputLoudnessFilter = 'ebur128=peak=true:framelog=quiet';

export type OutputLoudness = {
  /** Integrated loudness in LUFS. */
  lufs: number;
  /** Highest true peak in dBTP. */
  truePeakDbtp: number;
};

/**
 * Reads the summary of `outputLoudnessFilter` from ffmpeg's log. Undefined for silence, whose peak is `-inf`.
 * @throws Error if the log has no summary
 */
export function readOutputLoudness(log: string): OutputLoudness | undefined {
  const summary = /Integrated loudness:\s+I:\s+(\S+) LUFS[\s\S]*?True peak:\s+Peak:\s+(\S+) dBFS/.exec(log);
  if (summary === null) throw new Error('The log of ffmpeg has no loudness summary');
  const [lufs, truePeakDbtp] = summary.slice(1).map(Number);
  if (lufs === undefined || truePeakDbtp === undefined || !Number.isFinite(truePeakDbtp)) return undefined;
  return { lufs, truePeakDbtp };
}
