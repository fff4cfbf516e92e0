import { expect, it } from 'vitest';
import { chunkedCommands } from '../../../../core/chunking/commands/chunked-commands.ts';
import { joinCommand } from '../../../../core/chunking/commands/join-command.ts';
import { cutVideo } from '../../../../core/chunking/plan/cut-video.ts';
import type { Command } from '../../../../core/media/ffmpeg/command.ts';
import type { Format } from '../../../../core/media/formats.ts';
import type { Probe } from '../../../../core/media/probe/probe.ts';
import { aFrameIndex } from '../../../builders/chunking/a-frame-index.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';
import { aVideoEncoding } from '../../../builders/recipes/a-video-encoding.ts';

const timelineOrigin = { containerSeconds: 1.4, fileSeconds: 0 };

/** The commands for a source of 20 s in two chunks. */
function commandsFor(
  differences = {},
  {
    format = 'mp4',
    probe = aProbe(),
    isRemote = false,
    ...share
  }: { format?: Format; probe?: Probe; isRemote?: boolean; threads?: number } = {},
) {
  const place = {
    inputPath: '/in',
    inputs: [],
    assets: {},
    fontsDirectory: '/fonts',
    outputDirectory: '/out',
  };
  const input = { ...place, probe, format, isRemote, parameters: {}, filters: new Set<string>() };
  const output = { name: 'output', filename: `output.${format}`, format, mimeType: 'video/mp4' };
  const chunks = cutVideo(aFrameIndex({ pictures: 500 }), { maxChunks: 2, container: probe.container });
  return chunkedCommands(
    input,
    { encoding: aVideoEncoding(differences), outputs: [output], chunks, timelineOrigin, ...share },
    { pathOf: (name) => `/work/${name}`, directory: '/out' },
  );
}

function line({ inputs, outputArguments }: Command): string {
  const read = inputs.flatMap(({ path, options = [] }) => [...options, '-i', path]);
  return [...read, ...outputArguments].join(' ');
}

const [counting, untagged] = ['-copyts -itsoffset -1.399999', '-map_metadata -1 -map_chapters -1'];
const encoder =
  '-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -fps_mode:v vfr -enc_time_base:v demux';

it('reads the first chunk from the beginning up to half a gap before the second', () => {
  const [first] = commandsFor().chunks;
  expect(first && line(first.command)).toBe(
    `${counting} -i /in -map 0:0 -vf trim=end=9.980000,scale=320:180:flags=bicubic,setsar=1 ${encoder} ` +
      `-an -sn -dn ${untagged} -output_ts_offset 0.000000 -f mp4 /work/chunk-0-0.mp4`,
  );
});

it('reads a later chunk from before it, and gives its first picture the time 0', () => {
  const second = commandsFor().chunks[1];
  expect(second && line(second.command)).toBe(
    `-noaccurate_seek -ss 7.980000 ${counting} -i /in -map 0:0 ` +
      `-vf trim=start=9.980000,scale=320:180:flags=bicubic,setsar=1 ${encoder} ` +
      `-an -sn -dn ${untagged} -output_ts_offset -10.000000 -f mp4 /work/chunk-1-0.mp4`,
  );
});

it('gives encoders of chunks that share a machine the threads they are told, and other encoders their own', () => {
  const { chunks, audio, join } = commandsFor({}, { threads: 1 });
  for (const { command } of chunks) expect(line(command)).toContain(' -threads 1 -an ');
  for (const command of [audio?.command, ...join.commands])
    expect(command?.outputArguments).not.toContain('-threads');
});

it('cuts behind the filter that looks at fields before and after', () => {
  const probe = aProbe([aVideoStream({ isInterlaced: true })]);
  const [first] = commandsFor({}, { probe }).chunks;
  expect(first && line(first.command)).toContain(
    'bwdif=mode=send_frame:deint=interlaced,trim=end=9.980000,scale',
  );
});

it('encodes the sound once, whole', () => {
  const { audio } = commandsFor();
  expect(audio && line(audio.command)).toBe(
    `${counting} -i /in -map 0:1 -af aresample=async=1 -c:a aac -ac 2 -b:a 128k -vn -sn -dn ${untagged} ` +
      '-movie_timescale 48000 -f mp4 /work/audio',
  );
});

it('joins with the length of each chunk, and encodes nothing', () => {
  const { join: joins } = commandsFor(
    {},
    { probe: aProbe([aVideoStream(), anAudioStream({ language: 'fra' })]) },
  );
  const [join, ...others] = joins.commands;
  const [list, sound] = join?.inputs ?? [];
  expect(others).toEqual([]);
  expect(Buffer.from(list?.path.split(',')[1] ?? '', 'base64').toString()).toBe(
    "ffconcat version 1.0\nfile 'file:/work/chunk-0-0.mp4'\nduration 10.000000\nfile 'file:/work/chunk-1-0.mp4'\nduration 10.000000\n",
  );
  expect(list?.options).toEqual(['-copyts', '-itsoffset', '0.000000', '-f', 'concat', '-safe', '0']);
  expect(sound).toEqual({ path: '/work/audio', isTrusted: true });
  expect(join?.outputArguments.join(' ')).toBe(
    '-map 0:v:0 -c:v copy -map 1:a:0 -c:a copy -metadata:s:a:0 language=fra ' +
      `-sn -dn ${untagged} -movflags +faststart -f mp4 /out/output.mp4`,
  );
});

it('has no sound where the source or the job has none', () => {
  expect(commandsFor({}, { probe: aProbe([aVideoStream()]) }).audio).toBeUndefined();
  const { audio, join } = commandsFor({ isMuted: true });
  expect(audio).toBeUndefined();
  expect(join.commands[0]?.inputs).toHaveLength(1);
});

it('keeps what differs between processors out of H.265, and the tag that players want', () => {
  const { chunks, join } = commandsFor({ codec: 'h265' });
  expect(chunks[0] && line(chunks[0].command)).toContain('-x265-params info=0');
  expect(join.commands[0]?.outputArguments.join(' ')).toContain('-c:v copy -tag:v hvc1');
});

it('reads a stored source and a stored watermark from their addresses, for the picture and for the sound', () => {
  const maxSize = { width: 64, height: 64 };
  const placed = { streamIndex: 0, maxSize, position: 'top-left', marginPixels: 0, opacity: 1 };
  const differences = { overlay: { path: 'http://127.0.0.1/mark', ...placed } };
  const { chunks, audio } = commandsFor(differences, { isRemote: true });
  const inputs = [...chunks, ...(audio ? [audio] : [])].flatMap(({ command }) => command.inputs);
  expect(inputs).toHaveLength(5);
  expect(inputs.every(({ isRemote }) => isRemote)).toBe(true);
  const local = commandsFor(differences).chunks[0]?.command.inputs;
  expect(local?.map(({ isRemote }) => isRemote)).toEqual([undefined, undefined]);
});

it('joins stored chunks and sound from their addresses', () => {
  const { inputs } = joinCommand({
    format: 'mp4',
    codec: 'h264',
    path: '/out/output.mp4',
    areRemote: true,
    chunks: [
      {
        chunk: { frames: 25, startSeconds: 0, durationSeconds: 1, costShare: 1 },
        path: 'http://127.0.0.1/0',
      },
    ],
    audio: { stream: anAudioStream(), path: 'http://127.0.0.1/1' },
  });
  expect(inputs.map(({ isRemote }) => isRemote)).toEqual([true, true]);
  expect(inputs[1]).toEqual({ path: 'http://127.0.0.1/1', isTrusted: true, isRemote: true });
});
