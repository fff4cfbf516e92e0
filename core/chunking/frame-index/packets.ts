/**
 * What ffprobe is asked for when the packets of one stream are read: a line for each as it comes, and at the end one
 * for the stream and one for the file.
 */
export const packetArguments = [
  ...['-show_entries', 'packet=pts,duration,size,flags:stream=time_base,extradata_hash:format=start_time'],
  // All data passes through the hash, which is asked for the stream alone: SHA-256 took longer than the reading.
  ...['-show_data_hash', 'murmur3', '-print_format', 'compact'],
];

/** Something that is stored for a stream: a picture, or some sound. Times are ticks. */
export type Packet = {
  /** Left out where the container does not say. */
  pts?: number;
  duration?: number;
  sizeBytes: number;
  isKeyframe: boolean;
  /** It is decoded and never shown, as before the beginning that an edit list gives. */
  isDiscarded: boolean;
  isCorrupt: boolean;
};

/** The fields of a line such as `packet|pts=0|size=3786|flags=K__`, and what it describes. */
export function parsePacketLine(line: string): { kind: string; fields: ReadonlyMap<string, string> } {
  const [kind = '', ...rest] = line.split('|');
  const pairs = rest.map((part): [string, string] => {
    const at = part.indexOf('=');
    return [part.slice(0, at), part.slice(at + 1)];
  });
  return { kind, fields: new Map(pairs) };
}

/** The packet that a line describes. */
export function parsePacket(fields: ReadonlyMap<string, string>): Packet {
  const flags = fields.get('flags') ?? '';
  return {
    ...whole('pts', fields.get('pts')),
    ...whole('duration', fields.get('duration')),
    sizeBytes: Number(fields.get('size')) || 0,
    isKeyframe: flags.includes('K'),
    isDiscarded: flags.includes('D'),
    isCorrupt: flags.includes('C'),
  };
}

function whole<Key extends string>(key: Key, text: string | undefined): { [K in Key]?: number } {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return (Number.isSafeInteger(value) ? { [key]: value } : {}) as { [K in Key]?: number };
}
