import { bareFfprobe } from '../media/bare-ffmpeg.ts';

/** When the frames of a file are decoded and shown, and when its audio starts. */
export type Timing = {
  /** Of the frames in presentation order, in seconds. */
  times: number[];
  /** How long each but the last packet is in the file, in ticks, and each but the last frame on screen. */
  decodedTicks: Set<number>;
  shownTicks: Set<number>;
  isOrdered: boolean;
  timeBase: string;
  rates: string[];
  audioSeconds: number | undefined;
};

export async function timingOf(path: string): Promise<Timing> {
  const entries = 'packet=stream_index,pts,dts:stream=codec_type,index,time_base,r_frame_rate,avg_frame_rate';
  const lines = await bareFfprobe(['-show_entries', `${entries},start_time`, '-of', 'json', path]);
  const { packets, streams } = JSON.parse(lines.join('\n')) as {
    packets: { stream_index: number; pts: number; dts: number }[];
    streams: { codec_type: string; index: number; start_time: string; [name: string]: string | number }[];
  };
  const video = streams.find(({ codec_type }) => codec_type === 'video');
  const audio = streams.find(({ codec_type }) => codec_type === 'audio');
  const ofVideo = packets.filter(({ stream_index }) => stream_index === video?.index);
  const shown = ofVideo.map(({ pts }) => pts).toSorted((one, other) => one - other);
  const gaps = (ticks: number[]) => new Set(ticks.slice(1).map((each, index) => each - (ticks[index] ?? 0)));
  const [numerator = 0, denominator = 1] = String(video?.time_base).split('/').map(Number);
  return {
    times: shown.map((ticks) => (ticks * numerator) / denominator),
    decodedTicks: gaps(ofVideo.map(({ dts }) => dts)),
    shownTicks: gaps(shown),
    isOrdered: ofVideo.every(({ pts, dts }) => pts >= dts),
    timeBase: String(video?.time_base),
    rates: [String(video?.r_frame_rate), String(video?.avg_frame_rate)],
    audioSeconds: audio && Number(audio.start_time),
  };
}
