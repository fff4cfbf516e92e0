import { expect, it } from 'vitest';
import { decodingReader } from '../../../src/media/ffmpeg/ffmpeg-output.ts';

/** As ffmpeg 7.1 writes them at level verbose. */
const statistics = ({ packets = 50, frames = 50, errors = 0, stream = 0 } = {}) =>
  `[in#0/mov,mp4,m4a,3gp,3g2,mj2 @ 0x55] [verbose]   Input stream #0:${stream} (video): ${packets} packets read (9000 bytes); ${frames} frames decoded; ${errors} decode errors;\n`;
const corrupt = '[vist#0:0/h264 @ 0x56] [warning] corrupt decoded frame\n';
const other = '[vist#0:1/h264 @ 0x57] [warning] corrupt decoded frame\n';
const repeated = (times: number) => `    Last message repeated ${times} times\n`;

function read(...chunks: string[]) {
  const reader = decodingReader();
  const kept = chunks.map((chunk) => reader.keep(chunk)).join('');
  return { kept, ...reader.decoding() };
}

it.each([
  ['of packets without a frame and of others', 48, 2, 6],
  ['of packets that have a frame all the same', 50, 2, 4],
  ['some of whose packets have a frame', 49, 2, 5],
  ['more than concealed frames', 50, 7, 7],
  ['of two fields in each frame', 25, 2, 6],
])('frames are damaged once: errors %s', (_, frames, errors, damaged) => {
  const { streams } = read(corrupt, repeated(3), other, statistics({ frames, errors }));
  expect(streams).toEqual([{ input: 0, kind: 'video', packets: 50, frames, damaged }]);
});

it('no more packets are damaged than were read', () => {
  const { streams } = read(corrupt, repeated(90), statistics());
  expect(streams).toMatchObject([{ packets: 50, damaged: 50 }]);
});

it('a message that repeats another one does not count', () => {
  const { streams } = read(corrupt, '[h264 @ 0x58] [error] no frame\n', repeated(7), statistics());
  expect(streams).toMatchObject([{ damaged: 1 }]);
});

it('a line may arrive in parts', () => {
  const text = `${corrupt}${statistics()}`;
  const { streams } = read(...text);
  expect(streams).toMatchObject([{ damaged: 1 }]);
});

it.each([
  ['[mov,mp4,m4a,3gp,3g2,mj2 @ 0x1] [error] stream 0, offset 0x30: partial file\n', true],
  ['[mpegts @ 0x1] [error] PES packet size mismatch\n', true],
  ['[in#0/mpegts @ 0x1] [warning] corrupt input packet in stream 0\n', true],
  ['[h264 @ 0x1] [error] error while decoding MB 3 4\n', false],
  ['[mpegts @ 0x1] [warning] Packet corrupt\n', false],
])('the structure of a container is broken: %s%s', (line, expected) => {
  expect(read(line).hasContainerErrors).toBe(expected);
});

it("the job's log has no lines of level verbose, nor their repetitions", () => {
  const info = '[info] Stream mapping:\n';
  expect(read(info, statistics(), repeated(2), corrupt, repeated(3)).kept).toBe(`${info}${corrupt}${repeated(3)}`);
});
