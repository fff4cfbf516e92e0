/** Packets of M2TS begin with a time stamp, and some recorders add a checksum. */
const packetSizes = [188, 192, 204];

/** A packet of MPEG-TS. ISO/IEC 13818-1, 2.4.3.2. */
export type TransportPacket = {
  pid: number;
  /** A section or a PES packet begins in the payload. */
  startsUnit: boolean;
  /** Value of the PCR in ticks of 90 kHz. */
  clock?: number | undefined;
  payload: Buffer;
};

export function* transportPackets(window: Buffer): Generator<TransportPacket> {
  for (const packetBytes of packetSizes) {
    const start = window.findIndex((_, at) => isSynchronized(window, { at, packetBytes }));
    if (start === -1) continue;
    for (let at = start; at + 188 <= window.length; at += packetBytes) {
      if (window[at] === 0x47) yield readPacket(window.subarray(at, at + 188));
    }
    return;
  }
}

function readPacket(packet: Buffer): TransportPacket {
  const control = packet.readUInt8(3);
  const adaptationBytes = (control & 0x20) === 0 ? 0 : 1 + packet.readUInt8(4);
  const hasClock = adaptationBytes >= 8 && (packet.readUInt8(5) & 0x10) !== 0;
  return {
    pid: packet.readUInt16BE(1) & 0x1fff,
    startsUnit: (packet.readUInt8(1) & 0x40) !== 0,
    clock: hasClock ? packet.readUInt32BE(6) * 2 : undefined,
    payload: packet.subarray((control & 0x10) === 0 ? packet.length : 4 + adaptationBytes),
  };
}

/** Whether four packets begin here. */
function isSynchronized(window: Buffer, { at, packetBytes }: { at: number; packetBytes: number }): boolean {
  for (let packet = 0; packet < 4; packet += 1) {
    if (window[at + packet * packetBytes] !== 0x47) return false;
  }
  return true;
}
