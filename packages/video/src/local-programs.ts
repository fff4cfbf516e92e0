export { findFfmpeg, findFonts, onPath } from './runner/find-ffmpeg.ts';
