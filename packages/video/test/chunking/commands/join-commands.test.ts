import { describe, expect, it } from 'vitest';
import { joinCommands } from '../../../src/chunking/commands/join-commands.ts';
import { packagedOutputs } from '../../../src/encoding/ladder/packaging.ts';
import type { PlannedOutput } from '../../../src/encoding/plan.ts';
import type { VideoCodec } from '../../../src/media/codecs/video-codecs.ts';
import { aChunk, aChunkedWork } from '../../builders/chunking/a-chunked-work.ts';
import { allCommands } from '../../builders/chunking/all-commands.ts';
import { someAudioChunks } from '../../builders/chunking/some-audio-chunks.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const tenSeconds = { ...aChunk, durationSeconds: 10 };
const chunks = [tenSeconds, { ...tenSeconds, startSeconds: 10 }];

it('a join concatenates chunks with their durations and copies the streams', () => {
  const source = aProbe([aVideoStream(), anAudioStream({ language: 'fra' })]);
  const { join } = allCommands(aChunkedWork({ source, chunks }));
  const [command, ...others] = join.commands;
  const [list, audio] = command?.inputs ?? [];
  expect(others).toEqual([]);
  expect(Buffer.from(list?.path.split(',')[1] ?? '', 'base64').toString()).toBe(
    "ffconcat version 1.0\nfile 'file:/work/0-0'\nduration 10.000000\nfile 'file:/work/1-0'\nduration 10.000000\n",
  );
  expect(list?.options).toEqual(['-copyts', '-itsoffset', '0.000000', '-f', 'concat', '-safe', '0']);
  expect(audio).toEqual({ path: '/work/2-0', isTrusted: true });
  expect(command?.outputArguments.join(' ')).toBe(
    '-map 0:v:0 -c:v copy -map 1:a:0 -c:a:0 copy -metadata:s:a:0 language=fra ' +
      '-sn -dn -map_metadata -1 -map_chapters -1 -movflags +faststart -f mp4 /out/output.mp4',
  );
  expect(command?.durationSeconds).toBe(20);
});

it('a join makes the first of chosen audio tracks the default', () => {
  const source = aProbe([aVideoStream(), anAudioStream(), anAudioStream({ index: 2, isDefault: false })]);
  const encoding = aVideoEncoding({ audioTracks: [1, 0] });
  const [command] = allCommands(aChunkedWork({ source, chunks, encoding })).join.commands;
  expect(command?.outputArguments.join(' ')).toContain(
    '-c:a:1 copy -disposition:a:0 +default -disposition:a:1 -default ',
  );
});

it('a join of audio in chunks concatenates them, and numbers the packets as a single pass', () => {
  const { join } = allCommands(aChunkedWork({ chunks, audioChunks: someAudioChunks() }));
  const [command] = join.commands;
  const [, audio] = command?.inputs ?? [];
  expect(Buffer.from(audio?.path.split(',')[1] ?? '', 'base64').toString()).toBe(
    "ffconcat version 1.0\nfile 'file:/work/2-0'\nduration 9.984000\nfile 'file:/work/3-0'\nduration 10.005333\n" +
      "file 'file:/work/4-0'\nduration 0.021333\n",
  );
  expect(audio?.options).toEqual(['-fflags', '+noparse', '-f', 'concat', '-safe', '0']);
  expect(command?.outputArguments.join(' ')).toContain(
    "-map 1:a:0 -c:a:0 copy -bsf:a:0 setts=ts=-1024+N*1024:duration='if(eq(NEXT_PTS,NOPTS),round(DURATION*TB*48000),1024)':time_base=1/48000",
  );
});

it('a join of a silent output has the video only', () => {
  const { join } = allCommands(aChunkedWork({ encoding: aVideoEncoding({ isMuted: true }) }));
  expect(join.commands[0]?.inputs).toHaveLength(1);
  expect(join.videos).toEqual([{ name: 'output', path: '/out/output.mp4' }]);
});

it('a join of H.265 keeps the codec tag that players require', () => {
  const { join } = allCommands(aChunkedWork({ encoding: aVideoEncoding({ codec: 'h265' }) }));
  expect(join.commands[0]?.outputArguments.join(' ')).toContain('-c:v copy -tag:v hvc1');
});

it('a join of remote chunks and audio reads them by URL', () => {
  const { commands } = joinCommands(aChunkedWork({ chunks: [aChunk] }), {
    taskFile: (task) => `http://127.0.0.1/${task}`,
    isRemote: true,
    directory: '/out',
  });
  const inputs = commands[0]?.inputs ?? [];
  expect(inputs.map(({ isRemote }) => isRemote)).toEqual([true, true]);
  expect(inputs[1]).toEqual({ path: 'http://127.0.0.1/1', isTrusted: true, isRemote: true });
});

describe('the join of a ladder', () => {
  it('makes each output from the chunks of its rendition and the shared audio', () => {
    const outputs = ['180p', '144p'].map((name): PlannedOutput => ({ name, filename: `${name}.mp4`, format: 'mp4' }));
    const { join } = allCommands(aChunkedWork({ encoding: aLadderEncoding(), chunks, outputs }));
    const inputs = join.commands.map(({ inputs: [list, audio] }) => {
      const script = Buffer.from(list?.path.split(',')[1] ?? '', 'base64').toString();
      const paths = [...script.matchAll(/file:([^']+)/g)].map(([, path]) => path);
      return [...paths, audio?.path];
    });
    expect(inputs).toEqual([
      ['/work/0-0', '/work/1-0', '/work/2-0'],
      ['/work/0-1', '/work/1-1', '/work/2-0'],
    ]);
    expect(join.commands.map(({ outputArguments }) => outputArguments.at(-1))).toEqual([
      '/out/180p.mp4',
      '/out/144p.mp4',
    ]);
    expect(join.videos).toEqual([
      { name: '180p', path: '/out/180p.mp4', audioPath: '/out/180p.mp4' },
      { name: '144p', path: '/out/144p.mp4', audioPath: '/out/144p.mp4' },
    ]);
  });

  const segmenting = { keyframeIntervalSeconds: 2, maxRatesKbps: [1000, 500] };

  function streamOutputs(codecs: readonly VideoCodec[]): PlannedOutput[] {
    return packagedOutputs({
      options: { segmentSeconds: 6 },
      codecs,
      sizes: [
        { width: 320, height: 180, name: '180p', maxRateKbps: 1000 },
        { width: 256, height: 144, name: '144p', maxRateKbps: 500 },
      ],
      videoSeconds: 20,
      hasCaptions: false,
      audio: [anAudioStream({ index: 1 })],
      audioSeconds: 20,
    });
  }

  it('packages all renditions and all audio tracks at once, each into its file of the stream', () => {
    const outputs = streamOutputs(['h264']);
    const encoding = aLadderEncoding({ segmenting, audioTracks: [0] });
    const { join } = allCommands(aChunkedWork({ encoding, chunks, outputs }));
    const [command, ...others] = join.commands;
    expect(others).toEqual([]);
    expect(command?.inputs).toHaveLength(3);
    expect(command?.outputArguments.join(' ')).toMatch(
      /^-map 0:v:0 -c:v copy .* \/out\/stream_0\.mp4 -map 1:v:0 -c:v copy .* \/out\/stream_1\.mp4 -map 2:a:0 -c:a copy .* -frag_duration 6000000 -f mp4 \/out\/stream_2\.mp4$/,
    );
    expect(join.videos).toEqual([
      { name: '180p', path: '/out/stream_0.mp4', audioPath: '/out/stream_2.mp4' },
      { name: '144p', path: '/out/stream_1.mp4' },
    ]);
  });

  it('packages the renditions of all codecs at once, each with the tag of its codec, and one audio', () => {
    const otherCodecs = [aLadderEncoding({ segmenting, codec: 'h265' })];
    const encoding = aLadderEncoding({ segmenting, otherCodecs, audioTracks: [0] });
    const { join } = allCommands(aChunkedWork({ encoding, chunks, outputs: streamOutputs(['h264', 'h265']) }));
    const [command, ...others] = join.commands;
    expect(others).toEqual([]);
    const text = command?.outputArguments.join(' ') ?? '';
    const written = [...text.matchAll(/-map (\d):[av]:0 -c:\w copy (-tag:v hvc1 )?.*? (\/out\/\S+)/g)];
    expect(written.map(([, input, tag, path]) => [input, tag, path])).toEqual([
      ['0', undefined, '/out/stream_0.mp4'],
      ['1', undefined, '/out/stream_1.mp4'],
      ['2', '-tag:v hvc1 ', '/out/stream_2.mp4'],
      ['3', '-tag:v hvc1 ', '/out/stream_3.mp4'],
      ['4', undefined, '/out/stream_4.mp4'],
    ]);
    expect(join.videos.map(({ name, audioPath }) => [name, audioPath])).toEqual([
      ['180p', '/out/stream_4.mp4'],
      ...['144p', '180p-h265', '144p-h265'].map((name) => [name, undefined]),
    ]);
  });
});
