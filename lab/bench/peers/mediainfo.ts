import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Facts, type MadeFile, madeFiles, sources } from '../harness/peers/made-files.ts';
import { type PeerRow, peerFigure, runProgram, runRecipe } from '../harness/peers/row.ts';

const program = 'mediainfo';

/** Files with more than codec, size and rates, and what their making states of them. */
const special: (Omit<MadeFile, 'args'> & { args: string })[] = [
  {
    name: 'h264.mp4',
    args: '-c:v libx264 -profile:v high -level 3.1 -g 50 -c:a aac -b:a 96k -metadata:s:a:0 language=deu',
    video: {
      codec: 'h264',
      width: 320,
      height: 180,
      frames: 50,
      fps: 25,
      profile: 'high',
      level: '3.1',
      variable: 'false',
    },
    audio: { codec: 'aac', channels: 2, rate: 48_000, language: 'de', profile: 'lc' },
  },
  {
    name: 'variable.mp4',
    args: '-vf select=not(eq(mod(n\\,7)\\,3)) -fps_mode vfr -c:v libx264 -c:a aac',
    video: { codec: 'h264', width: 320, height: 180, frames: 43, variable: 'true' },
  },
  {
    name: 'hevc.mov',
    args: '-c:v libx265 -x265-params log-level=none -tag:v hvc1 -pix_fmt yuv420p10le -color_range tv -c:a pcm_s16le',
    video: { codec: 'hevc', width: 320, height: 180, frames: 50, bits: 10, range: 'limited', profile: 'main10' },
    audio: { channels: 2, rate: 48_000, kbps: 1536 },
  },
  {
    name: 'vp9.webm',
    args: '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus -metadata:s:a:0 language=por',
    video: { codec: 'vp9', width: 320, height: 180, fps: 25 },
    audio: { codec: 'opus', channels: 2, language: 'pt' },
  },
  {
    name: 'full-range.mp4',
    args: '-vf scale=out_range=pc -color_range pc -c:v libx264 -an',
    video: { codec: 'h264', range: 'full', fps: 25, frames: 50 },
  },
  {
    name: 'surround.mkv',
    args: '-c:v libx264 -c:a ac3 -ac 6 -b:a 384k',
    video: { codec: 'h264', width: 320, height: 180, fps: 25 },
    audio: { codec: 'ac3', channels: 6, kbps: 384 },
  },
  {
    name: 'broadcast.ts',
    args: '-c:v mpeg2video -b:v 1M -c:a mp2 -b:a 192k',
    video: { fps: 25, height: 180 },
    audio: { kbps: 192 },
  },
];

export const mediainfo: PeerRow = {
  peer: program,
  program,
  versionArguments: ['--Version'],
  install: ['apt-get', 'install', '-y', 'mediainfo'],
  async run({ ffmpeg, directory, videos, print }) {
    const files = [
      ...special.map(({ args, ...file }) => ({ ...file, args: [...sources(), '-ac', '2', ...args.split(' ')] })),
      ...madeFiles(),
    ];
    const wrong = { ours: 0, theirs: 0 };
    const onlyOurs: string[] = [];
    for (const { name, args, ...facts } of files) {
      const path = join(directory, name);
      await runProgram(ffmpeg, ['-v', 'error', '-y', ...args, path]);
      const [ours, theirs] = [await ownFacts(path), await theirFacts(path)];
      for (const kind of ['video', 'audio'] as const)
        for (const [field, truth] of Object.entries(facts[kind] ?? {})) {
          const [own, their] = [ours[kind]?.[field], theirs[kind]?.[field]];
          if (own !== truth) wrong.ours += 1;
          if (their !== truth) wrong.theirs += 1;
          if (own !== truth && their === truth) onlyOurs.push(`${name}, ${field}`);
          if (own !== their) print(`  ${name}: ${field} of the ${kind} is ${truth}; ours says ${own}, theirs ${their}`);
        }
    }
    const theirOwn = await disagreements(videos);
    for (const line of theirOwn) print(`  ${line}`);
    print(
      `  ${files.length} made files and ${videos.length} of yours: ours is wrong alone in ${onlyOurs.length} fields`,
    );
    return [
      peerFigure(
        program,
        'probe, wrong or missing fields (1 added to both)',
        [(wrong.ours + 1) / (wrong.theirs + 1)],
        1,
      ),
      peerFigure(program, 'probe, fields where ours alone is wrong (1 added)', [onlyOurs.length + 1], 1),
    ];
  },
};

/** Fields of given files, whose truth is unknown, in which the two differ. */
async function disagreements(videos: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const path of videos) {
    const ours = await ownFacts(path).catch(() => undefined);
    if (ours === undefined) lines.push(`${basename(path)}: ours does not take it for media`);
    const theirs = await theirFacts(path);
    for (const kind of ['video', 'audio'] as const)
      for (const [field, own] of Object.entries(ours?.[kind] ?? {})) {
        const their = theirs[kind]?.[field];
        if (!Object.is(own, their))
          lines.push(`${basename(path)}: ${field} of the ${kind}: ours says ${own}, theirs ${their}`);
      }
  }
  return lines;
}

type Tracks = { video?: Facts | undefined; audio?: Facts | undefined };
type Json = Record<string, string | number | undefined>;

async function ownFacts(path: string): Promise<Tracks> {
  const { result: streams } = await runRecipe(
    path,
    { recipe: { name: 'probe' }, format: 'json' },
    async ([json = '']) => {
      const probed: { streams: (Json & { kind: string })[] } = JSON.parse(await readFile(json, 'utf8'));
      return probed.streams;
    },
  );
  const [video, audio] = ['video', 'audio'].map((wanted) => streams.find(({ kind }) => kind === wanted));
  const lower = (text: string | number | undefined) => text && String(text).toLowerCase().replaceAll(' ', '');
  return {
    video: video && {
      ...{ codec: video.codec, width: video.width, height: video.height, frames: video.frames, level: video.level },
      ...{
        fps: Number(Number(video.framesPerSecond).toFixed(3)),
        profile: lower(video.profile),
        bits: video.bitDepth,
        range: video.colorRange,
      },
      variable: String(video.isVariableFrameRate),
    },
    audio: audio && {
      ...{ codec: audio.codec, channels: audio.channels, rate: audio.sampleRateHz, language: audio.languageTag },
      ...{ profile: lower(audio.profile), kbps: Math.round(Number(audio.bitsPerSecond) / 1000) },
    },
  };
}

const codecs: Record<string, string> = {
  AVC: 'h264',
  HEVC: 'hevc',
  VP9: 'vp9',
  AAC: 'aac',
  Opus: 'opus',
  'AC-3': 'ac3',
  AV1: 'av1',
  VP8: 'vp8',
  'MPEG-4 Visual': 'mpeg4',
  'MPEG Video': 'mpeg2video',
  JPEG: 'mjpeg',
  ProRes: 'prores',
  FFV1: 'ffv1',
  FLAC: 'flac',
  Vorbis: 'vorbis',
  PCM: 'pcm_s16le',
  'Layer 2': 'mp2',
  'Layer 3': 'mp3',
};

async function theirFacts(path: string): Promise<Tracks> {
  const { media }: { media: { track: Json[] } } = JSON.parse(
    (await runProgram(program, ['--Output=JSON', path])).split('\n\n')[0] ?? '',
  );
  const [video, audio] = ['Video', 'Audio'].map((wanted) => media.track.find((track) => track['@type'] === wanted));
  const number = (value: string | number | undefined) => (value === undefined ? undefined : Number(value));
  const first = (text: string | number | undefined) => String(text).toLowerCase().replaceAll(' ', '');
  return {
    video: video && {
      ...{ codec: codecs[String(video.Format)], width: number(video.Width), height: number(video.Height) },
      ...{ frames: number(video.FrameCount), fps: number(video.FrameRate), bits: number(video.BitDepth) },
      ...{ profile: first(video.Format_Profile), level: video.Format_Level, range: first(video.colour_range) },
      variable: String(video.FrameRate_Mode === 'VFR'),
    },
    audio: audio && {
      ...{
        codec: codecs[String(audio.Format === 'MPEG Audio' ? audio.Format_Profile : audio.Format)],
        channels: number(audio.Channels),
        rate: number(audio.SamplingRate),
      },
      ...{ language: audio.Language, profile: first(audio.Format_AdditionalFeatures) },
      kbps: Math.round(Number(audio.BitRate) / 1000),
    },
  };
}
