import { type Filter, filter, measuredTogether } from './filter.ts';

/** Target values of EBU R 128. */
export type LoudnessTarget = {
  /** Integrated loudness in LUFS. */
  lufs: number;
  /** Maximum true peak in dBTP. */
  truePeakDbtp: number;
};

export type Loudness = {
  /** Integrated loudness in LUFS. */
  lufs: number;
  /** Highest true peak in dBTP. */
  truePeakDbtp: number;
  /** Loudness range in LU. */
  rangeLu: number;
};

/**
 * The filters that measure loudness. `dualmono`: mono counts as it is heard from two speakers, 3 LU louder. EBU R 128 measures
 * blocks of 0.4 s: silence completes shorter audio, which would have none.
 */
export const measureLoudnessFilters = [
  filter('apad', 'whole_dur=0.4'),
  filter('ebur128', 'peak=true:dualmono=true:framelog=quiet'),
];

/** The gate of EBU R 128: nothing below it counts, and ebur128 prints it for silence. */
const gateLufs = -70;

/** The summary of `measureLoudnessFilters`; undefined for silence. @throws Error if the log has none */
export function readLoudness(log: string): Loudness | undefined {
  const summary = summaryPattern.exec(log);
  if (summary === null) throw new Error('The log of ffmpeg has no loudness summary');
  // The peak of silence is `-inf`.
  const [lufs = Number.NaN, rangeLu = 0, truePeakDbtp = Number.NaN] = summary.slice(1).map(Number);
  return lufs > gateLufs && Number.isFinite(truePeakDbtp) ? { lufs, truePeakDbtp, rangeLu } : undefined;
}

export const measureOffsetFilter = filter('astats', 'measure_perchannel=none:measure_overall=DC_offset');

/** The filter that removes it: two octaves below all that is heard. */
export const removeOffsetFilter = filter('highpass', 'f=5:precision=f64');

/** The mean of the samples of the channel that is furthest from 0, of full scale, in the log of `measureOffsetFilter`. */
export function readDcOffset(log: string): number {
  const offset = Math.abs(Number(/DC offset: (\S+)/.exec(log)?.[1]));
  return Number.isFinite(offset) ? offset : 0;
}

/** A smaller offset changes a peak by less than 0.1 dB. */
const minLimitedOffset = 0.01;

/**
 * Whether the limiter would act on a DC offset. The measured loudness ignores an offset, but each peak includes it, and the
 * gain of a correction raises it as much as the audio.
 */
export function isOffsetLimited(dcOffset: number, { gainDb, maxPeakDbtp }: VolumeChange): boolean {
  return maxPeakDbtp !== undefined && dcOffset * 10 ** (gainDb / 20) >= minLimitedOffset;
}

const summaryPattern =
  /Integrated loudness:\s+I:\s+(\S+) LUFS[\s\S]*?LRA:\s+(\S+) LU\s[\s\S]*?True peak:\s+Peak:\s+(\S+) dBFS/;

/** Whether the audio format changed within the track: the filter then restarts and measures each stretch on its own. */
export function hasSeveralMeasurements(log: string): boolean {
  return (log.match(/Integrated loudness:/g) ?? []).length > 1;
}

/** One gain for the whole track, which keeps its dynamics, and a limiter for the peaks that it would raise too high. */
export type VolumeChange = {
  gainDb: number;
  /** Maximum true peak in dBTP. Undefined: no peak comes near the limit. */
  maxPeakDbtp?: number;
};

/** The change that moves `measured` to the target. `headroomDb` is what the encoder may add to a peak. */
export function volumeChange(
  { lufs, truePeakDbtp }: LoudnessTarget,
  measured: Loudness,
  headroomDb: number,
): VolumeChange {
  const gainDb = lufs - measured.lufs;
  const isLimited = measured.truePeakDbtp + gainDb > truePeakDbtp - headroomDb;
  return isLimited ? { gainDb, maxPeakDbtp: truePeakDbtp } : { gainDb };
}

/** A change and what an encoding with it measured. */
export type VolumeTrial = { change: VolumeChange; result: Loudness };

/** A smaller difference, in LU, is inaudible. */
const maxDeviationLu = 0.15;
/** Two encodings add slightly different amounts to a peak. */
const peakMarginDb = 0.2;
/** Least effect of a decibel of gain that a correction assumes, in LU: the limiter takes back the rest. */
const minLuPerDb = 0.25;

/** The change that corrects what limiter and encoder did to the last trial; undefined if it met the target. */
export function correctVolumeChange(
  input: Loudness,
  target: LoudnessTarget,
  trials: readonly [...VolumeTrial[], VolumeTrial],
): VolumeChange | undefined {
  const [first] = trials;
  const { change, result } = trials.at(-1) ?? first;
  const missingLu = target.lufs - result.lufs;
  const excessDb = result.truePeakDbtp - target.truePeakDbtp;
  if (Math.abs(missingLu) <= maxDeviationLu && excessDb <= 0) return undefined;
  const { change: before, result: resultBefore } = trials.at(-2) ?? { change: { gainDb: 0 }, result: input };
  const luPerDb = (result.lufs - resultBefore.lufs) / (change.gainDb - before.gainDb);
  const slope = Number.isFinite(luPerDb) ? Math.min(1, Math.max(minLuPerDb, luPerDb)) : 1;
  const { maxPeakDbtp = target.truePeakDbtp } = change;
  return {
    gainDb: change.gainDb + missingLu / slope,
    maxPeakDbtp: maxPeakDbtp - (excessDb > 0 ? excessDb + peakMarginDb : 0),
  };
}

/** Between the samples of 192 kHz, a peak is at most 0.1 dB higher than at them. */
const truePeakRateHz = 192_000;

/** The filters of a change. The limiter works at a rate at which samples show the true peaks. */
export function volumeFilters({ gainDb, maxPeakDbtp }: VolumeChange, sampleRateHz: number): Filter[] {
  const gain = filter('volume', `${gainDb.toFixed(2)}dB:precision=double`);
  if (maxPeakDbtp === undefined) return [gain];
  const limit = 10 ** (maxPeakDbtp / 20);
  return [
    gain,
    measuredTogether('oversample', [filter('aresample', String(truePeakRateHz))]),
    filter('alimiter', `limit=${limit.toFixed(5)}:level=0:latency=1`),
    filter('aresample', String(sampleRateHz)),
  ];
}
