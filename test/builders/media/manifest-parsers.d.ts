/** Types for what tests use of two parsers, which ship none. */
declare module 'm3u8-parser' {
  type ByteRange = { offset: number; length: number };
  type Segment = {
    uri: string;
    duration: number;
    byterange: ByteRange;
    map: { uri: string; byterange: ByteRange };
  };
  type Variant = {
    uri: string;
    attributes: {
      BANDWIDTH: number;
      'AVERAGE-BANDWIDTH'?: string;
      'FRAME-RATE'?: number;
      CODECS: string;
      RESOLUTION: { width: number; height: number };
    };
  };

  class Parser {
    manifest: {
      endList?: boolean;
      targetDuration?: number;
      segments: Segment[];
      playlists?: Variant[];
      mediaGroups: { AUDIO: Record<string, Record<string, { uri: string }>> };
    };
    push(text: string): void;
    end(): void;
  }
}

declare module 'mpd-parser' {
  type ByteRange = { offset: number; length: number };
  type Segment = {
    resolvedUri: string;
    duration: number;
    byterange: ByteRange;
    map: { byterange: ByteRange };
  };
  type Representation = {
    attributes: { BANDWIDTH: number; CODECS: string; RESOLUTION?: { width: number; height: number } };
    segments: Segment[];
  };

  function parse(
    text: string,
    options: { manifestUri: string },
  ): {
    duration: number;
    playlists: Representation[];
    mediaGroups: { AUDIO: { audio?: Record<string, { playlists: Representation[] }> } };
  };
}
