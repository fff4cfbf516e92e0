import { generatedFile } from '../media/generated-file.ts';

const seconds = 26;
const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph];
const video = (seconds: number, size = '160x90') => lavfi(`testsrc2=size=${size}:rate=25:duration=${seconds}`);
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50'];

/** Tones and noise, and a stroke every third of a second, at which encoders switch blocks. */
const stroke = '0.4*exp(-20*mod(t,0.37))*sin(2*PI*t*900)';
const left = `0.2*sin(2*PI*t*220)+0.1*random(0)+${stroke}`;
const right = `0.2*sin(2*PI*t*331)+0.1*random(1)+${stroke}`;
const music = (seconds: number, rate = 48_000) => lavfi(`aevalsrc='${left}|${right}':s=${rate}:d=${seconds}`);
const mono = (channel: string, { seconds: length = seconds, packetSamples = 1024 } = {}) =>
  lavfi(`aevalsrc='${channel}':s=48000:d=${length}:nb_samples=${packetSamples}`);
/** Its sum in stereo exceeds full scale. */
const surround = (seconds: number) =>
  lavfi(`aevalsrc='${[left, right, left, stroke, right, left].join('|')}':s=48000:d=${seconds}:c=5.1`);

const aac = ['-c:a', 'aac', '-b:a', '192k'];
const of = (audio: readonly string[]) => [...video(seconds), ...audio, ...x264];
const twoTracks = ['-map', '0:v', '-map', '1:a', '-map', '2:a'];

/** Sources whose audio is cut, by their particularity: file name, and ffmpeg arguments that make it. */
export const audioSources = {
  aac: ['aac.mp4', [...of(music(seconds)), ...aac]],
  pcm: ['pcm.mov', [...of(music(seconds)), '-c:a', 'pcm_s16le']],
  flac: ['flac.mp4', [...of(music(seconds)), '-c:a', 'flac', '-strict', '-2']],
  mp3: ['mp3.mp4', [...of(music(seconds)), '-c:a', 'libmp3lame', '-b:a', '192k']],
  opus: ['opus.mp4', [...of(music(seconds)), '-c:a', 'libopus', '-b:a', '192k']],
  ac3: ['ac3.mp4', [...of(music(seconds)), '-c:a', 'ac3', '-b:a', '256k']],
  compactDisc: ['disc.mp4', [...of(music(seconds, 44_100)), ...aac]],
  highRate: ['high.mov', [...of(music(seconds, 88_200)), '-c:a', 'pcm_s16le']],
  surround: ['surround.mov', [...of(surround(seconds)), '-c:a', 'pcm_s16le']],
  /** Left and right are tracks of their own, in packets of different lengths. */
  monoTracks: [
    'mono-tracks.mov',
    [
      ...[...video(seconds), ...mono(left), ...mono(right, { packetSamples: 3000 })],
      ...[...twoTracks, ...x264, '-c:a', 'pcm_s16le'],
    ],
  ],
  lateAudio: ['late-audio.mp4', [...video(seconds), '-itsoffset', '1.777', ...music(seconds), ...x264, ...aac]],
  lateVideo: [
    'late-video.mp4',
    [...music(seconds), '-itsoffset', '11.234', ...video(seconds), '-map', '1', '-map', '0', ...x264, ...aac],
  ],
  shortAudio: ['short.mp4', [...of(music(seconds - 5)), ...aac]],
  severalTracks: [
    'tracks.mp4',
    [
      ...[...video(seconds), ...music(seconds), '-itsoffset', '0.5', ...music(seconds - 2, 44_100)],
      ...[...twoTracks, ...x264, ...aac],
    ],
  ],
  /** Two renditions are smaller. */
  large: ['large.mp4', [...video(seconds, '320x180'), ...music(seconds), ...x264, ...aac]],
  /** Many seams, for statistics. */
  long: ['long.mov', [...video(120), ...music(120), ...x264, '-c:a', 'pcm_s16le']],
} as const satisfies Record<string, readonly [name: string, args: readonly string[]]>;

export type AudioSource = keyof typeof audioSources | 'editList' | 'roundedTimes' | 'matroska' | 'shortRight';

/** The path of a source, made on first use. */
export async function audioSource(kind: AudioSource): Promise<string> {
  if (kind === 'matroska') return generatedFile('audio.mkv', [...of(music(seconds)), ...aac]);
  if (kind === 'shortRight') {
    // The second of two mono tracks has a shorter last packet.
    const tracks = [...mono(left), ...mono(right, { seconds: seconds - 0.05 })];
    return generatedFile('short-right.mov', [
      ...[...video(seconds), ...tracks, ...twoTracks, ...x264, '-c:a', 'pcm_s16le'],
    ]);
  }
  if (kind === 'roundedTimes') {
    // As most files that were Matroska before.
    return generatedFile('rounded.mp4', ['-i', await audioSource('matroska'), '-c', 'copy']);
  }
  if (kind === 'editList') {
    return generatedFile('cut.mp4', ['-ss', '1.1', '-i', await audioSource('aac'), ...'-map 0 -c copy'.split(' ')]);
  }
  const [name, args] = audioSources[kind];
  return generatedFile(name, args);
}
