/** Types for what tests use of two parsers, which ship none. */
declare module 'm3u8-parser' {
  type ByteRange = { offset: number; length: number };
  type Segment = { uri: string; duration: number; byterange: ByteRange; map: { uri: string; byterange: ByteRange } };
  type Variant = {
    uri: string;
    attributes: {
      BANDWIDTH: number;
      'AVERAGE-BANDWIDTH'?: string;
      'FRAME-RATE'?: number;
      'CLOSED-CAPTIONS'?: string;
      CODECS: string;
      RESOLUTION?: { width: number; height: number };
    };
  };
  type Alternative = { uri: string; default: boolean; autoselect: boolean; forced?: boolean; language?: string };

  class Parser {
    manifest: {
      endList?: boolean;
      targetDuration?: number;
      segments: Segment[];
      playlists?: Variant[];
      iFramePlaylists?: Variant[];
      mediaGroups: Record<'AUDIO' | 'SUBTITLES', Record<string, Record<string, Alternative>>>;
    };
    push(text: string): void;
    end(): void;
  }
}

declare module 'mpd-parser' {
  type Representation = {
    attributes: { BANDWIDTH: number; CODECS: string; RESOLUTION?: { width: number; height: number } };
    sidx: { resolvedUri: string; byterange: { offset: number; length: number } };
  };

  function parse(
    text: string,
    options: { manifestUri: string },
  ): {
    duration: number;
    playlists: Representation[];
    mediaGroups: { AUDIO: { audio?: Record<string, { language: string; playlists: Representation[] }> } };
  };
}
