/** ffprobe arguments that print one line per packet of a stream, then one for the stream and one for the container. */
export const packetArguments = [
  ...['-show_entries', 'packet=pts,duration,size,flags'],
  ...['-show_entries', 'stream=time_base,start_pts,duration_ts,extradata_hash:format=start_time'],
  // ffprobe hashes the data of every packet although only the extradata hash is shown: SHA-256 is slower than reading.
  ...['-show_data_hash', 'murmur3', '-print_format', 'compact'],
];

/** ffprobe arguments that print the lines of the stream and of the container alone, with which no packet is read. */
export const streamArguments = [
  ...['-show_entries', 'stream=id,codec_name,time_base:format=format_name,size,start_time'],
  ...['-print_format', 'compact'],
];

/** A packet of a stream. Times are in ticks of the stream's time base. */
export type Packet = {
  /** Left out where the container has no timestamp for it. */
  pts?: number;
  duration?: number;
  sizeBytes: number;
  isKeyframe: boolean;
  /** Decoded but never shown, such as the frames before the start of an MP4 edit list. */
  isDiscarded: boolean;
  isCorrupt: boolean;
};

/** Splits a line such as `packet|pts=0|size=3786|flags=K__` into its section and its fields. */
export function parsePacketLine(line: string): { kind: string; fields: ReadonlyMap<string, string> } {
  const [kind = '', ...rest] = line.split('|');
  const pairs = rest.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { kind, fields: new Map(pairs) };
}

export function parsePacket(fields: ReadonlyMap<string, string>): Packet {
  const flags = fields.get('flags') ?? '';
  return {
    pts: integerOf(fields.get('pts')),
    duration: integerOf(fields.get('duration')),
    sizeBytes: Number(fields.get('size')) || 0,
    isKeyframe: flags.includes('K'),
    isDiscarded: flags.includes('D'),
    isCorrupt: flags.includes('C'),
  };
}

function integerOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
