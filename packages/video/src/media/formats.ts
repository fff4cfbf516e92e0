/** The `file_type` of a file record. */
export type FileType = 'video' | 'audio' | 'image' | 'playlist' | 'subtitle' | 'data';

/** All output formats. The key is the `output.format` of a request and the file extension. */
export const formats = {
  mp4: { fileType: 'video', mimeType: 'video/mp4', muxer: 'mp4' },
  mov: { fileType: 'video', mimeType: 'video/quicktime', muxer: 'mov' },
  mkv: { fileType: 'video', mimeType: 'video/x-matroska', muxer: 'matroska' },
  webm: { fileType: 'video', mimeType: 'video/webm', muxer: 'webm' },
  mp3: { fileType: 'audio', mimeType: 'audio/mpeg', muxer: 'mp3' },
  m4a: { fileType: 'audio', mimeType: 'audio/mp4', muxer: 'ipod' },
  opus: { fileType: 'audio', mimeType: 'audio/ogg', muxer: 'opus' },
  flac: { fileType: 'audio', mimeType: 'audio/flac', muxer: 'flac' },
  wav: { fileType: 'audio', mimeType: 'audio/wav', muxer: 'wav' },
  jpg: { fileType: 'image', mimeType: 'image/jpeg', muxer: 'image2' },
  png: { fileType: 'image', mimeType: 'image/png', muxer: 'image2' },
  webp: { fileType: 'image', mimeType: 'image/webp', muxer: 'image2' },
  avif: { fileType: 'image', mimeType: 'image/avif', muxer: 'avif' },
  gif: { fileType: 'image', mimeType: 'image/gif', muxer: 'gif' },
  m3u8: { fileType: 'playlist', mimeType: 'application/vnd.apple.mpegurl', muxer: 'hls' },
  mpd: { fileType: 'playlist', mimeType: 'application/dash+xml', muxer: 'dash' },
  srt: { fileType: 'subtitle', mimeType: 'application/x-subrip', muxer: 'srt' },
  vtt: { fileType: 'subtitle', mimeType: 'text/vtt', muxer: 'webvtt' },
  json: { fileType: 'data', mimeType: 'application/json', muxer: undefined },
} as const satisfies Record<string, { fileType: FileType; mimeType: string; muxer: string | undefined }>;

export type Format = keyof typeof formats;

export type VideoFormat = 'mp4' | 'mov' | 'mkv' | 'webm';

/** Arguments for the container of an output. `+faststart` moves the index of an MP4 to the front. */
export function containerArguments(format: Format): string[] {
  const { muxer } = formats[format];
  if (muxer === undefined) throw new TypeError(`${format} is not written by ffmpeg`);
  const hasIndex = ['mp4', 'mov', 'm4a'].includes(format);
  return [...(hasIndex ? ['-movflags', '+faststart'] : []), '-f', muxer];
}
