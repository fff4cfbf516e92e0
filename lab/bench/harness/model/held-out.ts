import type { Format } from '@media-jobs/video/media';
import type { GeneratedSource } from './generated-source.ts';

/** A source and a recipe that calibration never saw. */
export type HeldOutPair = {
  source: GeneratedSource;
  recipe: { name: string } & Record<string, unknown>;
  format: Format;
};

const p270 = { width: 480, height: 270 };
const p360 = { width: 640, height: 360 };
const p540 = { width: 960, height: 540 };
const p720 = { width: 1280, height: 720 };
const p1080 = { width: 1920, height: 1080 };
const p2160 = { width: 3840, height: 2160 };

const shot = (number: number, grain: number) => ({ kind: 'scene', number, grain }) as const;
const screen = { kind: 'screen' } as const;
const fractal = { kind: 'fractal' } as const;

/** Sources of other shots, sizes, rates, lengths and codecs than those of the calibration. */
const sources = {
  calm: { content: shot(5, 1), size: p720, framesPerSecond: 25, seconds: 2, encoder: 'h264' },
  grainy: { content: shot(7, 7), size: p540, framesPerSecond: 30, seconds: 2.5, encoder: 'h264' },
  small: { content: shot(8, 3), size: p270, framesPerSecond: 25, seconds: 8, encoder: 'h264' },
  fullHd: { content: shot(6, 2), size: p1080, framesPerSecond: 25, seconds: 1.6, encoder: 'h264' },
  smooth: { content: shot(9, 2), size: p720, framesPerSecond: 50, seconds: 2, encoder: 'hevc' },
  hdr: { content: shot(10, 2), size: p2160, framesPerSecond: 25, seconds: 0.8, encoder: 'hevcHdr' },
  web: { content: shot(11, 3), size: p540, framesPerSecond: 25, seconds: 3, encoder: 'vp9' },
  modern: { content: shot(12, 3), size: p720, framesPerSecond: 25, seconds: 2, encoder: 'av1' },
  disc: { content: shot(13, 3), size: p540, framesPerSecond: 25, seconds: 3, encoder: 'mpeg2' },
  camera: { content: shot(14, 4), size: p720, framesPerSecond: 25, seconds: 1.6, encoder: 'prores' },
  interlaced: { content: shot(15, 3), size: p540, framesPerSecond: 25, seconds: 2, encoder: 'interlaced' },
  desktop: { content: screen, size: p720, framesPerSecond: 30, seconds: 2.5, encoder: 'h264' },
  fractal: { content: fractal, size: p360, framesPerSecond: 25, seconds: 4, encoder: 'mpeg4' },
} satisfies Record<string, GeneratedSource>;

const pair = (source: GeneratedSource, recipe: HeldOutPair['recipe'], format: Format = 'mp4'): HeldOutPair => ({
  source,
  recipe,
  format,
});

const codec = (name: string, more: object = {}) => ({ name: 'transcode', codec: name, ...more });

/** 40 pairs: each codec, several presets and qualities, and each kind of work beside the encoding. */
export const heldOutPairs: readonly HeldOutPair[] = [
  pair(sources.calm, { name: 'compress' }),
  pair(sources.calm, { name: 'compress', crf: 20, preset: 'slow' }),
  pair(sources.calm, codec('h265')),
  pair(sources.calm, { name: 'renditions' }),
  pair(sources.calm, { name: 'hls' }, 'm3u8'),
  pair(sources.grainy, { name: 'compress', preset: 'veryfast' }),
  pair(sources.grainy, codec('h264', { bitrate: 800 })),
  pair(sources.grainy, codec('av1'), 'webm'),
  pair(sources.grainy, { name: 'rotate', degrees: 90 }),
  pair(sources.small, { name: 'compress', crf: 24 }),
  pair(sources.small, codec('vp9', { preset: 'fast' }), 'webm'),
  pair(sources.small, { name: 'gif', seconds: 6, width: 400 }, 'gif'),
  pair(sources.small, { name: 'resize', width: 960, height: 540 }),
  pair(sources.fullHd, { name: 'compress', maxWidth: 854 }),
  pair(sources.fullHd, { name: 'compress', crf: 32, preset: 'faster' }),
  pair(sources.fullHd, codec('h265', { preset: 'medium', crf: 28 })),
  pair(sources.fullHd, { name: 'contact-sheet' }, 'jpg'),
  pair(sources.smooth, { name: 'compress' }),
  pair(sources.smooth, codec('vp9', { crf: 36 }), 'webm'),
  pair(sources.smooth, codec('h264', { fps: 25 })),
  pair(sources.smooth, { name: 'speed', factor: 2 }),
  pair(sources.hdr, { name: 'compress', maxHeight: 480 }),
  pair(sources.hdr, { name: 'compress', maxHeight: 1080, preset: 'veryfast' }),
  pair(sources.hdr, { name: 'hdr-to-sdr' }),
  pair(sources.web, { name: 'compress' }),
  pair(sources.web, codec('av1', { preset: 'faster' })),
  pair(sources.web, { name: 'burn-subtitles', subtitles: 'https://media.example/text.srt' }),
  pair(sources.modern, { name: 'compress', crf: 22 }),
  pair(sources.modern, codec('h265', { preset: 'superfast' })),
  pair(sources.modern, { name: 'watermark', image: 'https://media.example/logo.png' }),
  pair(sources.disc, { name: 'compress', preset: 'fast' }),
  pair(sources.disc, codec('vp9', { bitrate: 1500 }), 'webm'),
  pair(sources.camera, { name: 'compress' }),
  pair(sources.camera, codec('prores'), 'mov'),
  pair(sources.interlaced, { name: 'compress' }),
  pair(sources.interlaced, codec('h264', { targetSizeMb: 0.5 })),
  pair(sources.desktop, { name: 'compress' }),
  pair(sources.desktop, codec('av1', { crf: 30 })),
  pair(sources.fractal, codec('h265', { crf: 30 })),
  pair(sources.fractal, { name: 'animated-webp', seconds: 3 }, 'webp'),
];
