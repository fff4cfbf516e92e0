import { bareFfmpegOutput, bareFfprobe } from '../media/bare-ffmpeg.ts';

export type Packet = { seconds: number; hash: string };

/** The packets of a stream, such as `v:0`, in file order: hash of the coded bytes, and presentation time. */
export async function packetsOfStream(path: string, stream: string): Promise<Packet[]> {
  const args = ['-copyts', '-i', path, '-map', `0:${stream}`, '-c', 'copy', '-f', 'framemd5', '-'];
  const lines = (await bareFfmpegOutput(args)).toString().split('\n');
  const [, numerator = 0, denominator = 1] =
    lines.map((line) => /^#tb 0: (\d+)\/(\d+)/.exec(line)).find((found) => found !== null) ?? [];
  return lines
    .filter((line) => /^\d/.test(line))
    .map((line) => {
      const [, , pts = 'NaN', , , hash = ''] = line.split(',').map((field) => field.trim());
      return { seconds: (Number(pts) * Number(numerator)) / Number(denominator), hash };
    });
}

export type FileTags = {
  streams: { codec: string; language?: string }[];
  chapters: string[];
  timecode: string | undefined;
  title: string | undefined;
};

/** What ffprobe says of the streams, the chapters and the tags of a file. */
export async function tagsOf(path: string): Promise<FileTags> {
  const json = await bareFfprobe(['-show_streams', '-show_chapters', '-show_format', '-of', 'json', path]);
  const { streams, chapters, format } = JSON.parse(json.join('\n'));
  const tag = (tags: Record<string, string> = {}, name: string) => tags[name] ?? tags[name.toUpperCase()];
  return {
    streams: streams
      .filter(({ codec_type }: { codec_type: string }) => codec_type !== 'data')
      .map((stream: { codec_name: string; tags: Record<string, string> }) => ({
        codec: stream.codec_name,
        ...(stream.tags?.language && stream.tags.language !== 'und' && { language: stream.tags.language }),
      })),
    chapters: chapters.map(({ tags }: { tags: { title: string } }) => tags.title),
    timecode: streams
      .map(({ tags }: { tags: Record<string, string> }) => tag(tags, 'timecode'))
      .find((found: string | undefined) => found !== undefined),
    title: format.tags?.title,
  };
}
