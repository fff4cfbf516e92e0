import { expect, it } from 'vitest';
import { hasDiscreteChannels } from '../../../src/media/probe/streams.ts';

const track = { index: 0, codec_name: 'pcm_s24le', channels: 8 };
const broadcast = { container: 'mxf', hasVideo: true };
const recording = { container: 'wav', hasVideo: false };

it.each([
  ['eight in MXF', track, broadcast],
  ['four in WAV', { ...track, channels: 4 }, recording],
  ['an unknown layout by its name', { ...track, channel_layout: 'unknown' }, broadcast],
])('channels are discrete: %s', (_, stream, file) => expect(hasDiscreteChannels(stream, file)).toBe(true));

it.each([
  ['stereo', { ...track, channels: 2 }, recording],
  ['six', { ...track, channels: 6 }, broadcast],
  ['a layout', { ...track, channel_layout: '7.1' }, recording],
  ['another codec', { ...track, codec_name: 'aac' }, broadcast],
  ['cinema audio in MXF', track, { ...broadcast, hasVideo: false }],
  ['MOV', track, { ...broadcast, container: 'mov,mp4,m4a,3gp,3g2,mj2' }],
])('channels are not discrete: %s', (_, stream, file) => expect(hasDiscreteChannels(stream, file)).toBe(false));
