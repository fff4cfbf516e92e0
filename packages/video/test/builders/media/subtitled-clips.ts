import { generatedFile } from './generated-file.ts';

type Track = {
  /** The whole of an SRT or ASS file. */
  text: string;
  language?: string;
  /** ffmpeg's flags, such as `default` or `forced`. */
  disposition?: string;
};

/** The path of a 2 s clip in this container with these subtitle tracks, encoded as `codec`. */
export function clipWithSubtitles(container: 'mkv' | 'mp4' | 'mov', codec: string, tracks: Track[]): Promise<string> {
  const inputs = tracks.flatMap(({ text }) => ['-i', `data:text/plain;base64,${Buffer.from(text).toString('base64')}`]);
  const args = [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2', ...inputs],
    ...['-map', '0', ...tracks.flatMap((_, index) => ['-map', String(index + 1)])],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:s', codec],
    ...tracks.flatMap(({ language = 'und', disposition = '0' }, index) => [
      ...[`-metadata:s:s:${index}`, `language=${language}`, `-disposition:s:${index}`, disposition],
    ]),
  ];
  return generatedFile(`subtitled.${container}`, args);
}

/** An SRT file with one cue a second, one for each text. */
export function srtOf(...texts: string[]): string {
  return texts.map((text, index) => `${index + 1}\n00:00:0${index},200 --> 00:00:0${index},900\n${text}\n\n`).join('');
}
