import { describe, expect, it } from 'vitest';
import { taskCommand } from '../../../src/chunking/commands/task-command.ts';
import type { ChunkedWork } from '../../../src/chunking/plan/chunk-plan.ts';
import { chunkTasks } from '../../../src/chunking/plan/chunk-tasks.ts';
import { cutVideo } from '../../../src/chunking/plan/cut-video.ts';
import { aChunkedWork } from '../../builders/chunking/a-chunked-work.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';
import { allCommands, commandLine } from '../../builders/chunking/all-commands.ts';
import { someAudioChunks } from '../../builders/chunking/some-audio-chunks.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

/** A source of 20 s in two chunks. */
function twoChunks(
  differences: Partial<ChunkedWork> = {},
  { keyframeIntervalSeconds }: { keyframeIntervalSeconds?: number } = {},
): ChunkedWork {
  const source = differences.source ?? aProbe();
  const { container } = source;
  return aChunkedWork({
    source,
    chunks: cutVideo(aFrameIndex({ frames: 500 }), { maxChunks: 2, container, keyframeIntervalSeconds }),
    timelineOrigin: { containerSeconds: 1.4, fileSeconds: 0 },
    ...differences,
  });
}

const [origin, dropMetadata] = ['-copyts -itsoffset -1.399999', '-map_metadata -1 -map_chapters -1'];
const encoder = '-c:v libx264 -preset medium -crf 23 -pix_fmt yuv420p -fps_mode:v vfr -enc_time_base:v demux';

describe('the command of a chunk', () => {
  it('decodes the first chunk from the start to half a frame gap before the second', () => {
    expect(commandLine(allCommands(twoChunks()).chunks[0])).toBe(
      `${origin} -i /in -map 0:0 -vf trim=end=9.980000,scale=320:180:flags=bicubic:in_h_chr_pos=0:out_h_chr_pos=0,setsar=1,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=smpte170m ${encoder} ` +
        `-an -sn -dn ${dropMetadata} -output_ts_offset 0.000000 -f mp4 /work/0-0`,
    );
  });

  it('decodes the preroll of a later chunk, and gives its first frame the timestamp 0', () => {
    expect(commandLine(allCommands(twoChunks()).chunks[1])).toBe(
      `-noaccurate_seek -ss 7.980000 ${origin} -i /in -map 0:0 ` +
        `-vf trim=start=9.980000,scale=320:180:flags=bicubic:in_h_chr_pos=0:out_h_chr_pos=0,setsar=1,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=smpte170m ${encoder} ` +
        `-an -sn -dn ${dropMetadata} -output_ts_offset -10.000000 -f mp4 /work/1-0`,
    );
  });

  it('limits the threads of the video encoder only', () => {
    const { chunks, audio, join } = allCommands(twoChunks(), { threads: 1 });
    for (const command of chunks) expect(commandLine(command)).toContain(' -threads 1 -an ');
    for (const command of [audio, ...join.commands]) expect(command?.outputArguments).not.toContain('-threads');
  });

  it('trims after the deinterlacer, which reads the fields before and after', () => {
    const source = aProbe([aVideoStream({ isInterlaced: true })]);
    expect(commandLine(allCommands(twoChunks({ source })).chunks[0])).toContain(
      'bwdif=mode=send_field:deint=interlaced,trim=end=9.980000,scale',
    );
  });

  it('leaves the encoder settings out of H.265, which differ between processors', () => {
    const { chunks } = allCommands(twoChunks({ encoding: aVideoEncoding({ codec: 'h265' }) }));
    expect(commandLine(chunks[0])).toContain('-x265-params info=0');
  });

  it('reads a remote source and a remote overlay by URL, and so does the audio task', () => {
    const maxSize = { width: 64, height: 64 };
    const overlay = {
      path: '',
      streamIndex: 0,
      maxSize,
      position: 'top-left',
      marginPixels: 0,
      opacity: 1,
    } as const;
    const work = twoChunks({ encoding: aVideoEncoding({ overlay }) });
    const url = 'http://127.0.0.1/overlay';
    const { chunks, audio } = allCommands(work, { isRemote: true, overlay: url });
    expect(chunks.map(({ inputs }) => inputs.map(({ path }) => path))).toEqual([
      ['/in', url],
      ['/in', url],
    ]);
    const inputs = [...chunks, ...(audio ? [audio] : [])].flatMap((command) => command.inputs);
    expect(inputs).toHaveLength(5);
    expect(inputs.every(({ isRemote }) => isRemote)).toBe(true);
    const local = allCommands(work, { overlay: '/overlay' }).chunks[0]?.inputs;
    expect(local?.map(({ isRemote }) => isRemote)).toEqual([undefined, undefined]);
  });
});

describe('the commands of clips', () => {
  const encoding = aVideoEncoding({
    transform: { scale: { width: 320, height: 180 }, framesPerSecond: '25/1', startSeconds: 0 },
  });
  const clip = { source: aProbe(), encoding, timelineOrigin: { containerSeconds: 0, fileSeconds: 0 }, frames: 500 };
  const chunk = { frames: 250, durationSeconds: 10, costShare: 0.25 };
  const work = aChunkedWork({
    encoding,
    clips: [clip, clip],
    chunks: [
      { ...chunk, clip: 0, startSeconds: 10, clipSeconds: 10, trimStartSeconds: 9.98, endsClip: true },
      { ...chunk, clip: 1, startSeconds: 20, clipSeconds: 0, trimEndSeconds: 9.98 },
    ],
    audioChunks: someAudioChunks().slice(1),
  });
  const files = { sources: ['/a', '/b'], outputPath: String };
  const lines = chunkTasks(work).map((task) => commandLine(taskCommand(work, task, files)));

  it('read the source of the clip and count from its start', () => {
    expect(lines[0]).toMatch(
      /-copyts .* -i \/a .*,trim=start=9.980000,tpad=stop_mode=clone:stop=1,trim=end_frame=250,.* -output_ts_offset -10.000000 /,
    );
    expect(lines[1]).toMatch(/-copyts .* -i \/b .*,trim=end=9.980000,.* -output_ts_offset 0.000000 /);
  });

  it('encode a chunk of the audio from the clips that it touches', () => {
    expect(lines[2]).toContain(
      '[0:1]atrim=start_pts=358976,asetpts=PTS-STARTPTS,aresample=async=1:min_hard_comp=0.02:first_pts=0:osr=48000,' +
        'aformat=sample_fmts=fltp:channel_layouts=stereo,apad=whole_len=601024,' +
        'atrim=start_sample=24000:end_sample=601024,asetpts=N[audio0];[1:1]atrim=start=0,',
    );
    expect(lines[2]).toContain('[audio0][audio1]concat=n=2:v=0:a=1,asettb=1/48000,asetpts=N+382976[audio]');
  });
});

describe('the command of the audio', () => {
  it('encodes the whole track', () => {
    expect(commandLine(allCommands(twoChunks()).audio)).toBe(
      `${origin} -i /in -map 0:1 -af aresample=async=1:min_hard_comp=0.02 -c:a aac -ac 2 -b:a 128k -vn -sn -dn ${dropMetadata} ` +
        '-movie_timescale 48000 -f mp4 /work/2-0',
    );
  });

  it('encodes a chunk with what comes before and after, and keeps its packets', () => {
    const { audio } = allCommands(twoChunks({ audioChunks: someAudioChunks().slice(1) }));
    expect(commandLine(audio)).toBe(
      `-noaccurate_seek -ss 7.478667 ${origin} -i /in -map 0:1 -af atrim=start_pts=382976:end_pts=984064,aresample=async=1:min_hard_comp=0.02 ` +
        `-c:a aac -ac 2 -b:a 128k -vn -sn -dn ${dropMetadata} ` +
        "-bsf:a noise=drop='lt(pts*tb,9.952000)+gte(pts*tb,19.957333)' -output_ts_offset -9.984000 " +
        '-movie_timescale 48000 -f mp4 /work/2-0',
    );
  });

  it('writes each track into a file, and reads the video of a time range too', () => {
    const source = aProbe([aVideoStream(), anAudioStream(), anAudioStream({ index: 2 })]);
    const encoding = aVideoEncoding({ audioTracks: [0, 1], range: { start: 1, end: 4 } });
    expect(commandLine(allCommands(twoChunks({ source, encoding })).audio)).toMatch(
      /^-ss 1\.000 -i \/in -map 0:1 .* -t 3\.000 .* \/work\/2-0 -map 0:2 .* -t 3\.000 .* \/work\/2-1 -map 0:0 -c copy -t 3\.000 -f null -$/,
    );
  });

  it('is absent if the source or the output is silent', () => {
    expect(allCommands(twoChunks({ source: aProbe([aVideoStream()]) })).audio).toBeUndefined();
    expect(allCommands(twoChunks({ encoding: aVideoEncoding({ isMuted: true }) })).audio).toBeUndefined();
  });
});

describe('the command of a chunk in a ladder', () => {
  const timelineOrigin = { containerSeconds: 0, fileSeconds: 0 };
  const rendition =
    '-c:v libx264 -preset medium -crf 23 -pix_fmt yuv420p -fps_mode:v vfr -enc_time_base:v demux ' +
    `-an -sn -dn ${dropMetadata} -output_ts_offset -10.000000 -f mp4`;

  it('decodes the chunk once and encodes one file per rendition', () => {
    const work = twoChunks({ encoding: aLadderEncoding(), timelineOrigin });
    expect(commandLine(allCommands(work).chunks[1])).toBe(
      '-noaccurate_seek -ss 7.980000 -copyts -itsoffset 0.000001 -i /in ' +
        '-filter_complex [0:0]trim=start=9.980000,scale=320:180:flags=bicubic:in_h_chr_pos=0:out_h_chr_pos=0,setsar=1,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=smpte170m,split=2[size0][copy1];' +
        '[copy1]scale=256:144:flags=bicubic:in_h_chr_pos=0:out_h_chr_pos=0,setsar=1[size1] ' +
        `-map [size0] ${rendition} /work/1-0 -map [size1] ${rendition} /work/1-1`,
    );
  });

  it('forces keyframes, and limits the bit rate of each rendition', () => {
    const segmenting = { keyframeIntervalSeconds: 4, maxRatesKbps: [1000, 500] };
    const encoding = aLadderEncoding({ segmenting });
    const text = commandLine(allCommands(twoChunks({ encoding, timelineOrigin }, segmenting)).chunks[1]);
    const limits = (kbps: number) =>
      `-maxrate:v ${kbps}k -bufsize:v ${kbps}k -fps_mode:v vfr -enc_time_base:v demux ` +
      '-sc_threshold 0 -force_key_frames 11.980000,15.980000 -an';
    // Half of 20 s is no multiple of 4 s; the seek is two keyframes earlier.
    expect(text).toContain('-ss 5.980000');
    expect(text).toContain('trim=start=7.980000,');
    expect(text).toContain(limits(1000));
    expect(text).toContain(limits(500));
  });

  it('has one codec; those of the other codecs have the same trim and keyframes', () => {
    const segmenting = { keyframeIntervalSeconds: 4, maxRatesKbps: [1000, 500] };
    const otherCodecs = (['h265', 'av1'] as const).map((codec) => aLadderEncoding({ segmenting, codec }));
    const encoding = aLadderEncoding({ segmenting, otherCodecs });
    const work = twoChunks({ encoding, timelineOrigin }, segmenting);
    const ofLastChunk = allCommands(work).chunks.filter((_, task) => task % 2 === 1);
    for (const command of ofLastChunk) {
      expect(commandLine(command).match(/trim=[^,]*|-force_key_frames \S+/g)).toEqual([
        'trim=start=7.980000',
        ...['-force_key_frames 11.980000,15.980000', '-force_key_frames 11.980000,15.980000'],
      ]);
    }
    const written = ofLastChunk.map((command) =>
      [...commandLine(command).matchAll(/-c:v (\S+) .*? (\/work\/\S+)/g)].map(([, ...each]) => each.join(' ')),
    );
    expect(written).toEqual([
      ['libx264 /work/1-0', 'libx264 /work/1-1'],
      ['libx265 /work/3-0', 'libx265 /work/3-1'],
      ['libsvtav1 /work/5-0', 'libsvtav1 /work/5-1'],
    ]);
  });
});
