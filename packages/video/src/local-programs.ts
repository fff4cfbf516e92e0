export { findFfmpeg, onPath } from './runner/find-ffmpeg.ts';
export { findFonts } from './runner/fonts.ts';
