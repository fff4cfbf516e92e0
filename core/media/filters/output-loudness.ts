/** The filter that measures a finished sound: ebur128, which is six times as quick as what normalizes it. */
export const outputLoudnessFilter = 'ebur128=peak=true:framelog=quiet';

/** How loud a finished sound is. */
export type OutputLoudness = {
  /** Integrated loudness in LUFS. */
  lufs: number;
  /** Highest true peak in dBTP. */
  truePeak: number;
};

/**
 * Reads the summary of `outputLoudnessFilter` from ffmpeg's log; undefined for silence, whose peak is no number.
 * @throws Error where the log has none
 */
export function readOutputLoudness(log: string): OutputLoudness | undefined {
  const summary = /Integrated loudness:\s+I:\s+(\S+) LUFS[\s\S]*?True peak:\s+Peak:\s+(\S+) dBFS/.exec(log);
  if (summary === null) throw new Error('ffmpeg did not say how loud the output is');
  const [lufs, truePeak] = summary.slice(1).map(Number);
  if (lufs === undefined || truePeak === undefined || !Number.isFinite(truePeak)) return undefined;
  return { lufs, truePeak };
}
