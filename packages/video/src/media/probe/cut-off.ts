/** Length of a packet of MPEG-TS, and its distance to the next one, before which M2TS has a time stamp. */
const packetBytes = 188;
const packetDistances = [188, 192, 204];

const pageHeaderBytes = 27;

/**
 * Whether a file ends within a packet of MPEG-TS or MPEG-PS or a page of Ogg, as an upload that broke off. None of them states the length
 * of the whole. A recorder of a live stream stops between packets.
 * @param end the last bytes of the file
 */
export function isCutOff(container: string, end: Buffer): boolean {
  if (container === 'mpegts') return endsWithinTransportPacket(end);
  if (container === 'mpeg') return endsWithinProgramPacket(end);
  return container === 'ogg' && endsWithinPage(end);
}

function endsWithinTransportPacket(end: Buffer): boolean {
  const last = packetDistances.map((distance) => {
    const isPacket = (at: number) => [0, 1, 2, 3].every((before) => end[at - before * distance] === 0x47);
    for (let at = end.length - 1; at >= Math.max(0, end.length - distance); at -= 1) if (isPacket(at)) return at;
    return undefined;
  });
  const found = last.filter((at) => at !== undefined);
  return found.length > 0 && found.every((at) => end.length - at < packetBytes);
}

/** ISO/IEC 13818-1, 2.4.3.7: behind a start code and the id of a stream is the length of what follows. */
function endsWithinProgramPacket(end: Buffer): boolean {
  let at = end.lastIndexOf(startCode);
  while (at !== -1 && !(Number(end[at + 3]) >= 0xbd && at + 6 <= end.length)) {
    at = at === 0 ? -1 : end.lastIndexOf(startCode, at - 1);
  }
  return at !== -1 && at + 6 + end.readUInt16BE(at + 4) > end.length;
}

const startCode = Buffer.from([0, 0, 1]);

/** RFC 3533, section 6. */
function endsWithinPage(end: Buffer): boolean {
  const at = end.lastIndexOf('OggS');
  if (at === -1) return false;
  const tableAt = at + pageHeaderBytes;
  if (tableAt > end.length) return true;
  const table = end.subarray(tableAt, tableAt + end.readUInt8(tableAt - 1));
  const page = tableAt + table.length + table.reduce((sum, bytes) => sum + bytes, 0);
  return table.length < end.readUInt8(tableAt - 1) || page > end.length;
}
