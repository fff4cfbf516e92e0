import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PeerRow, peerFigure, runProgram, runRecipe } from '../harness/peers/row.ts';

const program = 'mediainfo';

type Facts = Record<string, string | number | undefined>;

/** Files with what their making states of them. */
const made: { name: string; args: string; video?: Facts; audio?: Facts }[] = [
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
  async run({ ffmpeg, directory, print }) {
    const wrong = { ours: 0, theirs: 0 };
    for (const { name, args, ...facts } of made) {
      const path = join(directory, name);
      const sources = [
        '-f',
        'lavfi',
        '-i',
        'testsrc2=size=320x180:rate=25:duration=2',
        '-f',
        'lavfi',
        '-i',
        'sine=d=2:r=48000',
      ];
      await runProgram(ffmpeg, ['-v', 'error', '-y', ...sources, '-ac', '2', ...args.split(' '), path]);
      const { result: ours } = await runRecipe(
        path,
        { recipe: { name: 'probe' }, format: 'json' },
        async ([json = '']) => ownFacts(JSON.parse(await readFile(json, 'utf8'))),
      );
      const theirs = theirFacts(
        JSON.parse((await runProgram(program, ['--Output=JSON', path])).split('\n\n')[0] ?? ''),
      );
      for (const kind of ['video', 'audio'] as const)
        for (const [field, truth] of Object.entries(facts[kind] ?? {}))
          for (const [who, found] of [
            ['ours', ours[kind]?.[field]],
            ['theirs', theirs[kind]?.[field]],
          ] as const) {
            if (found === truth) continue;
            wrong[who] += 1;
            print(`  ${name}: ${field} of the ${kind} is ${truth}; ${who} says ${found}`);
          }
    }
    return [
      peerFigure(
        program,
        'probe, wrong or missing fields (1 added to both)',
        [(wrong.ours + 1) / (wrong.theirs + 1)],
        1,
      ),
    ];
  },
};

type Tracks = { video?: Facts | undefined; audio?: Facts | undefined };
type Json = Record<string, string | number | undefined>;

function ownFacts({ streams }: { streams: (Json & { kind: string })[] }): Tracks {
  const [video, audio] = ['video', 'audio'].map((wanted) => streams.find(({ kind }) => kind === wanted));
  const lower = (text: string | number | undefined) => text && String(text).toLowerCase().replaceAll(' ', '');
  return {
    video: video && {
      ...{ codec: video.codec, width: video.width, height: video.height, frames: video.frames, level: video.level },
      ...{
        fps: Number(video.framesPerSecond),
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
};

function theirFacts({ media }: { media: { track: Json[] } }): Tracks {
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
      ...{ codec: codecs[String(audio.Format)], channels: number(audio.Channels), rate: number(audio.SamplingRate) },
      ...{ language: audio.Language, profile: first(audio.Format_AdditionalFeatures) },
      kbps: Math.round(Number(audio.BitRate) / 1000),
    },
  };
}
