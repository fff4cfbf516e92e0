import { expect, it } from 'vitest';
import { encodeInChunks } from '../../../core/chunks/chunked-encoding.ts';
import { cutPicture } from '../../../core/chunks/cut.ts';
import { joinCommand } from '../../../core/chunks/join-command.ts';
import type { Command } from '../../../core/media/command.ts';
import type { Format } from '../../../core/media/formats.ts';
import type { Probe } from '../../../core/media/probe.ts';
import { aPictureIndex } from '../../builders/a-picture-index.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/a-probe.ts';
import { aVideoEncoding } from '../../builders/a-video-encoding.ts';

const beginning = { containerSeconds: 1.4, fileSeconds: 0 };

/** The commands for a source of 20 s in two chunks. */
function commandsFor(
  differences = {},
  {
    format = 'mp4',
    probe = aProbe(),
    isStored = false,
    ...share
  }: { format?: Format; probe?: Probe; isStored?: boolean; threads?: number } = {},
) {
  const place = {
    inputPath: '/in',
    inputs: [],
    assets: {},
    fontsDirectory: '/fonts',
    outputDirectory: '/out',
  };
  const input = { ...place, probe, format, isStored, parameters: {}, filters: new Set<string>() };
  const output = { name: 'output', filename: `output.${format}`, format, mimeType: 'video/mp4' };
  const chunks = cutPicture(aPictureIndex({ pictures: 500 }), { count: 2, container: probe.container });
  return encodeInChunks(
    input,
    { encoding: aVideoEncoding(differences), outputs: [output], chunks, beginning, ...share },
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
  const { chunks, sound, joins } = commandsFor({}, { threads: 1 });
  for (const { command } of chunks) expect(line(command)).toContain(' -threads 1 -an ');
  for (const command of [sound?.command, ...joins.commands])
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
  const { sound } = commandsFor();
  expect(sound && line(sound.command)).toBe(
    `${counting} -i /in -map 0:1 -af aresample=async=1 -c:a aac -ac 2 -b:a 128k -vn -sn -dn ${untagged} ` +
      '-movie_timescale 48000 -f mp4 /work/sound',
  );
});

it('joins with the length of each chunk, and encodes nothing', () => {
  const { joins } = commandsFor({}, { probe: aProbe([aVideoStream(), anAudioStream({ language: 'fra' })]) });
  const [join, ...others] = joins.commands;
  const [list, sound] = join?.inputs ?? [];
  expect(others).toEqual([]);
  expect(Buffer.from(list?.path.split(',')[1] ?? '', 'base64').toString()).toBe(
    "ffconcat version 1.0\nfile 'file:/work/chunk-0-0.mp4'\nduration 10.000000\nfile 'file:/work/chunk-1-0.mp4'\nduration 10.000000\n",
  );
  expect(list?.options).toEqual(['-copyts', '-itsoffset', '0.000000', '-f', 'concat', '-safe', '0']);
  expect(sound).toEqual({ path: '/work/sound', isOurs: true });
  expect(join?.outputArguments.join(' ')).toBe(
    '-map 0:v:0 -c:v copy -map 1:a:0 -c:a copy -metadata:s:a:0 language=fra ' +
      `-sn -dn ${untagged} -movflags +faststart -f mp4 /out/output.mp4`,
  );
});

it('has no sound where the source or the job has none', () => {
  expect(commandsFor({}, { probe: aProbe([aVideoStream()]) }).sound).toBeUndefined();
  const { sound, joins } = commandsFor({ isSilent: true });
  expect(sound).toBeUndefined();
  expect(joins.commands[0]?.inputs).toHaveLength(1);
});

it('keeps what differs between processors out of H.265, and the tag that players want', () => {
  const { chunks, joins } = commandsFor({ codec: 'h265' });
  expect(chunks[0] && line(chunks[0].command)).toContain('-x265-params info=0');
  expect(joins.commands[0]?.outputArguments.join(' ')).toContain('-c:v copy -tag:v hvc1');
});

it('reads a stored source and a stored watermark from their addresses, for the picture and for the sound', () => {
  const within = { width: 64, height: 64 };
  const placed = { stream: 0, within, position: 'top-left', margin: 0, opacity: 1 };
  const differences = { overlay: { path: 'http://127.0.0.1/mark', ...placed } };
  const { chunks, sound } = commandsFor(differences, { isStored: true });
  const inputs = [...chunks, ...(sound ? [sound] : [])].flatMap(({ command }) => command.inputs);
  expect(inputs).toHaveLength(5);
  expect(inputs.every(({ isStored }) => isStored)).toBe(true);
  const local = commandsFor(differences).chunks[0]?.command.inputs;
  expect(local?.map(({ isStored }) => isStored)).toEqual([undefined, undefined]);
});

it('joins stored chunks and sound from their addresses', () => {
  const { inputs } = joinCommand({
    format: 'mp4',
    codec: 'h264',
    path: '/out/output.mp4',
    areStored: true,
    chunks: [{ chunk: { pictures: 25, startSeconds: 0, seconds: 1, cost: 1 }, path: 'http://127.0.0.1/0' }],
    sound: { audio: anAudioStream(), path: 'http://127.0.0.1/1' },
  });
  expect(inputs.map(({ isStored }) => isStored)).toEqual([true, true]);
  expect(inputs[1]).toEqual({ path: 'http://127.0.0.1/1', isOurs: true, isStored: true });
});
