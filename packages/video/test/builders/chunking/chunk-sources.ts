import { generatedFile } from '../media/generated-file.ts';

const seconds = 12;
const size = '160x90';

const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph];
const pattern = (rate: string, pixels = size) => lavfi(`testsrc2=size=${pixels}:rate=${rate}:duration=${seconds}`);
const tone = lavfi(`sine=frequency=440:sample_rate=48000:duration=${seconds}`);
const x264 = (params: string) => [...'-c:v libx264 -preset veryfast -crf 14 -x264-params'.split(' '), params];
const x265 = (params: string) => [
  ...'-c:v libx265 -preset ultrafast -crf 16 -x265-params'.split(' '),
  `log-level=error:${params}`,
];
const aac = ['-c:a', 'aac', '-b:a', '192k'];
const mpeg2 = ['-c:v', 'mpeg2video', '-q:v', '2', '-g', '12', '-bf', '2'];
const mp2 = ['-c:a', 'mp2'];
const closed = 'keyint=48:min-keyint=48:scenecut=0:open-gop=0:bframes=0';
const open = 'keyint=48:min-keyint=48:scenecut=0:open-gop=1:bframes=3:b-adapt=0';
const irregular = "select='if(lt(mod(t,4),2),not(mod(n,4)),1)',settb=1/90000,setpts='PTS+mod(N*37,11)*30'";
const pq = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';

/** Sources to cut, by their particularity: file name, and ffmpeg arguments that make it. */
export const chunkSources = {
  constantRate: ['constant.mp4', [...pattern('25'), ...tone, ...x264(closed), ...aac]],
  variableRate: [
    'variable.mp4',
    [
      ...pattern('50'),
      ...tone,
      '-vf',
      irregular,
      ...x264(open),
      ...'-fps_mode vfr -enc_time_base 1/90000'.split(' '),
      ...aac,
    ],
  ],
  /** The last frame is shown for 0.6 s. */
  heldLastFrame: [
    'held.mp4',
    [
      ...pattern('25'),
      ...tone,
      ...x264(closed),
      ...['-bsf:v', "setts=duration='if(eq(NEXT_PTS,NOPTS),0.6/TB,DURATION)'"],
      ...aac,
    ],
  ],
  openGop: ['open-gop.mp4', [...pattern('30'), ...tone, ...x264(open), ...aac]],
  pyramid: ['pyramid.mp4', [...pattern('25'), ...tone, ...x264(`${open}:b-pyramid=normal:ref=4:bframes=7`), ...aac]],
  broadcast: [
    'broadcast.ts',
    [...pattern('25'), ...tone, ...mpeg2, '-flags', '+cgop', '-sc_threshold', '1000000000', ...mp2],
  ],
  mpeg2OpenGop: ['mpeg2-open.ts', [...pattern('25'), ...tone, ...mpeg2, ...mp2]],
  h264Stream: ['h264.ts', [...pattern('25'), ...tone, ...x264(open), ...aac]],
  hevc: [
    'hevc.mp4',
    [...pattern('25'), ...tone, ...x265('keyint=48:min-keyint=48:open-gop=1:bframes=4'), '-tag:v', 'hvc1', ...aac],
  ],
  vp9: [
    'vp9.webm',
    [
      ...pattern('25'),
      ...tone,
      ...'-c:v libvpx-vp9 -b:v 0 -crf 20 -g 48 -deadline realtime -cpu-used 8 -c:a libopus'.split(' '),
    ],
  ],
  av1: ['av1.mkv', [...pattern('25'), ...tone, '-c:v', 'libsvtav1', '-preset', '12', '-crf', '25', '-g', '48', ...aac]],
  interlaced: [
    'interlaced.ts',
    [
      ...pattern('50'),
      ...tone,
      ...'-vf tinterlace=interleave_top -flags +ilme+ildct+cgop -sc_threshold 1000000000'.split(' '),
      ...mpeg2,
      ...mp2,
    ],
  ],
  /** HLS drops every second frame between 5 s and 7 s. */
  fastStretch: [
    'fast-stretch.mp4',
    [
      ...pattern('120'),
      ...tone,
      ...['-vf', "select='if(between(t,5,7),1,not(mod(n,4)))'", '-fps_mode', 'vfr'],
      ...x264('keyint=60:min-keyint=30:scenecut=0'),
      ...aac,
    ],
  ],
  /** HLS gives it a constant rate. */
  fastOnAverage: [
    'fast-on-average.mp4',
    [
      ...pattern('120'),
      ...tone,
      ...['-vf', "select='if(between(t,5,7),not(mod(n,4)),1)'", '-fps_mode', 'vfr'],
      ...x264('keyint=60:min-keyint=30:scenecut=0'),
      ...aac,
    ],
  ],
  /** HLS halves its rate. */
  fast: ['fast.mp4', [...pattern('120'), ...tone, ...x264('keyint=240:min-keyint=240:scenecut=0'), ...aac]],
  cinema: ['cinema.mkv', [...pattern('24000/1001'), ...tone, ...x264(open), ...aac]],
  ntsc: ['ntsc.mp4', [...pattern('30000/1001'), ...tone, ...x264(open), ...aac]],
  hdr: [
    'hdr.mp4',
    [
      ...pattern('25'),
      ...tone,
      '-vf',
      'format=yuv420p10le',
      ...x265(`keyint=48:min-keyint=48:${pq}`),
      '-tag:v',
      'hvc1',
      ...aac,
    ],
  ],
  intraRefresh: ['refresh.mp4', [...pattern('25'), ...tone, ...x264('keyint=48:intra-refresh=1:bframes=0'), ...aac]],
  intraOnly: ['intra.mov', [...pattern('25'), ...tone, '-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p', ...aac]],
  lateStart: [
    'late.mp4',
    [
      ...tone,
      '-itsoffset',
      '1.234',
      ...pattern('30000/1001'),
      ...'-map 1 -map 0 -fps_mode vfr'.split(' '),
      ...x264(open),
      ...aac,
    ],
  ],
  lateAudio: ['late-audio.mp4', [...pattern('25'), '-itsoffset', '0.777', ...tone, ...x264(open), ...aac]],
  programStream: ['program.mpg', [...pattern('25'), ...tone, ...mpeg2, ...mp2]],
  silent: ['silent.mp4', [...pattern('25'), ...x264(open)]],
  longGap: [
    'gap.mp4',
    [...pattern('25'), ...tone, '-vf', "select='lt(t,4)+gt(t,8)'", '-fps_mode', 'vfr', ...x264(open), ...aac],
  ],
  /** Two frames a second: a clip may start within one. */
  timeLapse: ['lapse.mp4', [...pattern('2'), ...tone, ...x264('keyint=4:bframes=2'), ...aac]],
  pureTone: [
    'tone.mkv',
    [...pattern('25'), ...lavfi(`aevalsrc=0.8*sin(2*PI*440*t):s=48000:d=${seconds}`), ...x264(closed), '-c:a', 'flac'],
  ],
  singleKeyframe: ['one-keyframe.mp4', [...pattern('25'), ...tone, ...x264('keyint=10000:scenecut=0'), ...aac]],
} as const satisfies Record<string, readonly [name: string, args: readonly string[]]>;

/** Sources that are made from other sources. */
const madeOfOthers = ['editList', 'negativeTimes', 'earlierTrack', 'refreshedStream', 'changingSize'] as const;

export type ChunkSource = keyof typeof chunkSources | (typeof madeOfOthers)[number];

/** Every source. */
export const everyChunkSource = [...Object.keys(chunkSources), ...madeOfOthers] as readonly ChunkSource[];

/** Every source that can be cut. */
export const cuttableSources = everyChunkSource.filter((kind) => kind !== 'singleKeyframe');

/** The path of a source of 12 s, made on first use. */
export async function chunkSource(kind: ChunkSource, { pixels = size } = {}): Promise<string> {
  const another = (each: ChunkSource) => chunkSource(each, { pixels });
  if (kind === 'editList') {
    // Starts between keyframes: the frames before are in the file, to be decoded and not shown.
    const whole = await another('openGop');
    return generatedFile('edit-list.mp4', ['-ss', '1.1', '-i', whole, '-map', '0', '-c', 'copy']);
  }
  if (kind === 'changingSize') {
    // As video calls do when the bandwidth falls.
    const clips = [pixels, '320x180'].map((each) =>
      generatedFile('clip.ts', [...pattern('25', each), ...tone, ...x264(closed), ...aac]),
    );
    return generatedFile('sizes.ts', ['-i', `concat:${(await Promise.all(clips)).join('|')}`, '-c', 'copy']);
  }
  if (kind === 'refreshedStream') {
    return generatedFile('refresh.ts', ['-i', await another('intraRefresh'), '-map', '0', '-c', 'copy']);
  }
  if (kind === 'earlierTrack') {
    // A track that is not encoded starts a second before the others.
    const whole = await another('openGop');
    const late = ['-itsoffset', '1', '-i', whole, '-i', whole, '-map', '0', '-map', '1:a', '-c', 'copy'];
    return generatedFile('earlier.ts', late);
  }
  if (kind === 'negativeTimes') {
    // MPEG-TS timestamps wrap after 26.5 h; ffmpeg reads those before the wrap as negative.
    const whole = await another('h264Stream');
    return generatedFile('negative.ts', ['-i', whole, ...'-map 0 -c copy -output_ts_offset 95438'.split(' ')]);
  }
  const [name, args] = chunkSources[kind];
  return generatedFile(
    name,
    args.map((arg) => arg.replace(size, pixels)),
  );
}
