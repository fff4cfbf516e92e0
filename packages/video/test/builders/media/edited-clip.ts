import { generatedFile } from './generated-file.ts';

const chapters = `;FFMETADATA1
title=Private
[CHAPTER]
TIMEBASE=1/1000
START=0
END=3000
title=Opening
[CHAPTER]
TIMEBASE=1/1000
START=3000
END=8000
title=Credits
`;
const subtitles = '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:05,000 --> 00:00:06,000\nBye\n';
const text = (content: string) => ['-i', `data:text/plain;base64,${Buffer.from(content).toString('base64')}`];
const tone = (hertz: number) => ['-f', 'lavfi', '-i', `sine=${hertz}:sample_rate=48000:duration=8`];

/** Options of the video of an edited clip, by codec. */
const videoArguments = {
  /** A keyframe every second, with B-frames. */
  h264: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-crf', '20'],
  /** The same with open GOPs: frames that are shown before their keyframe need the GOP before it. */
  openGop: '-c:v libx264 -preset ultrafast -bf 2 -crf 20 -x264-params open-gop=1:keyint=25:scenecut=0'.split(' '),
  prores: ['-c:v', 'prores_ks', '-profile:v', '2', '-pix_fmt', 'yuv422p10le'],
};

/**
 * A clip of 8 s as an editor exports it: two audio tracks (eng 440 Hz, German 880 Hz), subtitles (fra), two chapters, a
 * time code and a title.
 */
export function editedClip(
  container: 'mov' | 'mp4' | 'mkv',
  codec: keyof typeof videoArguments = 'h264',
): Promise<string> {
  return generatedFile(`edited.${container}`, [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=8', ...tone(440), ...tone(880)],
    ...[...text(subtitles), ...text(chapters)],
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3', '-map_metadata', '4', '-map_chapters', '4'],
    ...[...videoArguments[codec], '-c:a', codec === 'prores' ? 'pcm_s24le' : 'aac'],
    ...['-c:s', container === 'mkv' ? 'srt' : 'mov_text', '-metadata:s:v:0', 'timecode=10:00:00:00'],
    ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', `language=${container === 'mov' ? 'ger' : 'deu'}`],
    ...['-metadata:s:s:0', 'language=fra'],
  ]);
}
